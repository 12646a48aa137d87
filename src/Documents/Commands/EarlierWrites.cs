using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Commands;

/// <summary>Finds, for each command of a batch that has a demand, the earlier command of the batch that changes the same key.</summary>
/// <remarks>This depends on the batch alone, so it is done on the request's thread.</remarks>
internal static class EarlierWrites
{
    /// <summary>The indexes of the last earlier commands that change the same keys; -1 for none. Null when there is nothing to compare, because at most the
    /// first command has a demand.</summary>
    public static int[]? Find(ReadOnlySpan<DocumentCommand> commands)
    {
        if (!HasLaterDemand(commands))
        {
            return null;
        }

        int[] touches = new int[commands.Length];
        var keysOfDocuments = new Dictionary<byte[], int>(ByteTextComparer.Instance);
        var keysOfValues = new Dictionary<byte[], int>(ByteTextComparer.Instance);
        var prefixes = new LastPrefixes();
        for (int i = 0; i < commands.Length; i++)
        {
            DocumentCommand command = commands[i];
            ReadOnlySpan<byte> key = command.Key.Span;
            Dictionary<byte[], int> keys = command.IsOfValue ? keysOfValues : keysOfDocuments;
            touches[i] = command.HasDemand
                ? Math.Max(LastOf(keys, key), command.IsOfValue ? -1 : prefixes.LastOf(key))
                : -1;
            if (command.Effect == KeyEffect.RemovePrefix)
            {
                prefixes.Set(key, i);
            }
            else if (command.Effect != KeyEffect.None)
            {
                keys.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = i;
            }
        }

        return touches;
    }

    private static int LastOf(Dictionary<byte[], int> last, ReadOnlySpan<byte> text) =>
        last.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(text, out int command) ? command : -1;

    private static bool HasLaterDemand(ReadOnlySpan<DocumentCommand> commands)
    {
        for (int i = 1; i < commands.Length; i++)
        {
            if (commands[i].HasDemand)
            {
                return true;
            }
        }

        return false;
    }
}
