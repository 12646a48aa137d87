using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Client.Sessions.Tracking;

/// <summary>Finds the differences between two documents. The order of members does not matter, and numbers are compared as numbers.</summary>
internal static class DocumentDifference
{
    /// <param name="path">Of the objects.</param>
    /// <param name="isCompared">Says which direct members of the objects are compared; null for all.</param>
    public static void Collect(
        JsonElement before, JsonElement after, string path, Func<JsonProperty, bool>? isCompared, List<DocumentsChanges> changes)
    {
        foreach (JsonProperty member in after.EnumerateObject().Where(isCompared ?? All))
        {
            if (!before.TryGetProperty(member.Name, out JsonElement old))
            {
                changes.Add(new DocumentsChanges(ChangeType.NewField, member.Name, path, null, member.Value));
            }
            else
            {
                CollectValue(old, member.Value, member.Name, path, ChangeType.FieldChanged, changes);
            }
        }

        foreach (JsonProperty member in before.EnumerateObject().Where(isCompared ?? All))
        {
            if (!after.TryGetProperty(member.Name, out _))
            {
                changes.Add(new DocumentsChanges(ChangeType.RemovedField, member.Name, path, member.Value, null));
            }
        }
    }

    private static bool All(JsonProperty member) => true;

    private static void CollectValue(
        JsonElement before, JsonElement after, string name, string path, ChangeType otherwise, List<DocumentsChanges> changes)
    {
        if (JsonElement.DeepEquals(before, after))
        {
            return;
        }

        string inner = path.Length == 0 || name[0] == '[' ? path + name : $"{path}.{name}";
        switch (before.ValueKind, after.ValueKind)
        {
            case (JsonValueKind.Object, JsonValueKind.Object):
                Collect(before, after, inner, null, changes);
                break;
            case (JsonValueKind.Array, JsonValueKind.Array):
                CollectElements(before, after, inner, changes);
                break;
            default:
                changes.Add(new DocumentsChanges(otherwise, name, path, before, after));
                break;
        }
    }

    private static void CollectElements(JsonElement before, JsonElement after, string path, List<DocumentsChanges> changes)
    {
        (int countBefore, int countAfter) = (before.GetArrayLength(), after.GetArrayLength());
        for (int i = 0; i < Math.Max(countBefore, countAfter); i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"[{i}]");
            if (i >= countBefore)
            {
                changes.Add(new DocumentsChanges(ChangeType.ArrayValueAdded, name, path, null, after[i]));
            }
            else if (i >= countAfter)
            {
                changes.Add(new DocumentsChanges(ChangeType.ArrayValueRemoved, name, path, before[i], null));
            }
            else
            {
                CollectValue(before[i], after[i], name, path, ChangeType.ArrayValueChanged, changes);
            }
        }
    }
}
