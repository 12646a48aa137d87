using System.Text.Json;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Compares an object as it is written with the same object after it was written and read.</summary>
internal static class ReadBackDifference
{
    /// <returns>Why the first member that differs cannot be stored; null if none differs.</returns>
    public static string? Find(JsonElement written, JsonElement again, string path)
    {
        if (JsonElement.DeepEquals(written, again))
        {
            return null;
        }

        return (written.ValueKind, again.ValueKind) switch
        {
            (JsonValueKind.Object, JsonValueKind.Object) => OfMembers(written, again, path),
            (JsonValueKind.Array, JsonValueKind.Array) when written.GetArrayLength() == again.GetArrayLength() =>
                written.EnumerateArray().Zip(again.EnumerateArray(), (one, other) => Find(one, other, path + "[]")).First(found => found is not null),
            _ => ClassRefusals.Hidden(path),
        };
    }

    private static string? OfMembers(JsonElement written, JsonElement again, string path)
    {
        foreach (JsonProperty member in written.EnumerateObject())
        {
            string place = $"{path}.{member.Name}";
            string? found = again.TryGetProperty(member.Name, out JsonElement back) ? Find(member.Value, back, place) : ClassRefusals.Hidden(place);
            if (found is not null)
            {
                return found;
            }
        }

        JsonProperty added = again.EnumerateObject().FirstOrDefault(member => !written.TryGetProperty(member.Name, out _));
        return added.Value.ValueKind == JsonValueKind.Undefined ? null : ClassRefusals.LeftOut($"{path}.{added.Name}");
    }
}
