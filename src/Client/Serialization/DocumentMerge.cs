using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Carries the changes of an object over to its stored document. What nobody has changed stays as it is stored, also what the class does not
/// have, cannot read, or would write in another form.</summary>
/// <param name="keepsUnknown">Whether members that the class does not have stay.</param>
/// <param name="ignoresCase">Whether the class reads names of members without regard to case.</param>
internal sealed class DocumentMerge(bool keepsUnknown, bool ignoresCase)
{
    /// <summary>The document to store, without metadata.</summary>
    /// <param name="stored">The document as it was read.</param>
    /// <param name="read">What an object that was made of it, and not changed, is written as.</param>
    /// <param name="now">What the object is written as.</param>
    public JsonElement Merge(JsonElement stored, JsonElement read, JsonElement now) =>
        JsonText.Element(json => WriteObject(json, stored, read, now, isRoot: true));

    private void Write(Utf8JsonWriter json, JsonElement stored, JsonElement read, JsonElement now)
    {
        if (JsonElement.DeepEquals(read, now))
        {
            stored.WriteTo(json);
        }
        else if (AreAll(JsonValueKind.Object, stored, read, now))
        {
            WriteObject(json, stored, read, now, isRoot: false);
        }
        else if (AreAll(JsonValueKind.Array, stored, read, now) && stored.GetArrayLength() == read.GetArrayLength())
        {
            WriteArray(json, stored, read, now);
        }
        else
        {
            now.WriteTo(json);
        }
    }

    private void WriteObject(Utf8JsonWriter json, JsonElement stored, JsonElement read, JsonElement now, bool isRoot)
    {
        json.WriteStartObject();
        foreach (JsonProperty member in now.EnumerateObject())
        {
            bool isStored = TryFind(stored, member.Name, out JsonElement before);
            json.WritePropertyName(member.Name);
            if (isStored && TryFind(read, member.Name, out JsonElement known))
            {
                Write(json, before, known, member.Value);
            }
            else
            {
                member.Value.WriteTo(json);
            }
        }

        foreach (JsonProperty member in stored.EnumerateObject())
        {
            bool isMetadata = isRoot && member.NameEquals(EntityConverter.MetadataName);
            if (keepsUnknown && !isMetadata && !TryFind(now, member.Name, out _) && !TryFind(read, member.Name, out _))
            {
                member.WriteTo(json);
            }
        }

        json.WriteEndObject();
    }

    // An element that was only moved is found by its value, and a changed one by its place.
    private void WriteArray(Utf8JsonWriter json, JsonElement stored, JsonElement read, JsonElement now)
    {
        JsonElement[] before = [.. stored.EnumerateArray()];
        JsonElement[] known = [.. read.EnumerateArray()];
        JsonElement[] elements = [.. now.EnumerateArray()];
        int[] sources = SourcesOf(known, elements);
        var taken = new HashSet<int>(sources);
        json.WriteStartArray();
        for (int i = 0; i < elements.Length; i++)
        {
            if (sources[i] >= 0)
            {
                before[sources[i]].WriteTo(json);
            }
            else if (i < known.Length && !taken.Contains(i))
            {
                Write(json, before[i], known[i], elements[i]);
            }
            else
            {
                elements[i].WriteTo(json);
            }
        }

        json.WriteEndArray();
    }

    // For each element the place where an equal one was read; -1 if there is none.
    private static int[] SourcesOf(JsonElement[] known, JsonElement[] elements)
    {
        int[] sources = new int[elements.Length];
        var open = new Dictionary<string, Queue<int>>(StringComparer.Ordinal);
        bool[] isSame = new bool[known.Length];
        for (int i = 0; i < known.Length; i++)
        {
            isSame[i] = i < elements.Length && JsonElement.DeepEquals(known[i], elements[i]);
            if (!isSame[i])
            {
                string text = known[i].GetRawText(); // both were written by the same serializer
                (open.TryGetValue(text, out Queue<int>? places) ? places : open[text] = new Queue<int>()).Enqueue(i);
            }
        }

        for (int i = 0; i < elements.Length; i++)
        {
            sources[i] = i < known.Length && isSame[i] ? i
                : open.Count > 0 && open.TryGetValue(elements[i].GetRawText(), out Queue<int>? places) && places.TryDequeue(out int place) ? place
                : -1;
        }

        return sources;
    }

    private bool TryFind(JsonElement members, string name, out JsonElement value)
    {
        if (members.TryGetProperty(name, out value))
        {
            return true;
        }

        if (ignoresCase)
        {
            foreach (JsonProperty member in members.EnumerateObject())
            {
                if (member.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
                {
                    value = member.Value;
                    return true;
                }
            }
        }

        return false;
    }

    private static bool AreAll(JsonValueKind kind, JsonElement one, JsonElement two, JsonElement three) =>
        one.ValueKind == kind && two.ValueKind == kind && three.ValueKind == kind;
}
