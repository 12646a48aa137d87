namespace Jackdaw.Server.Documents.Storage;

/// <summary>For each command of a batch that demands a version: which earlier command of the batch changes the same
/// document.</summary>
/// <remarks>Depends on the batch alone, so it is found on the request's thread.</remarks>
internal static class EarlierTouches
{
    /// <summary>Index of the last earlier command that puts or deletes the same id; -1 for none. Null when nothing in
    /// the batch has to be
    /// compared: no demand but perhaps of the first command.</summary>
    public static int[]? Find(ReadOnlySpan<WriteCommand> commands)
    {
        if (!HasLaterDemand(commands))
        {
            return null;
        }

        int[] touches = new int[commands.Length];
        var ids = new Dictionary<byte[], int>(ByteTextComparer.Instance);
        var prefixes = new Dictionary<byte[], int>(ByteTextComparer.Instance);
        var prefixLengths = new List<int>();
        for (int i = 0; i < commands.Length; i++)
        {
            ref readonly WriteCommand command = ref commands[i];
            ReadOnlySpan<byte> key = command.Key.Span;
            touches[i] = command.Expected.Kind == ExpectedVersionKind.Any
                ? -1
                : Math.Max(LastOf(ids, key), LastPrefix(prefixes, prefixLengths, key));
            if (command.Kind == WriteCommandKind.DeletePrefix)
            {
                prefixes.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = i;
                if (!prefixLengths.Contains(key.Length))
                {
                    prefixLengths.Add(key.Length);
                }
            }
            else if (command.Kind != WriteCommandKind.Check && !PreparedRows.IsCompletedByWriter(command))
            {
                ids.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = i;
            }
        }

        return touches;
    }

    private static int LastOf(Dictionary<byte[], int> last, ReadOnlySpan<byte> text) =>
        last.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(text, out int command) ? command : -1;

    // Looked up once for each length that a prefix has: there may be very many prefixes, but no more lengths than a key has bytes.
    private static int LastPrefix(Dictionary<byte[], int> prefixes, List<int> lengths, ReadOnlySpan<byte> key)
    {
        int last = -1;
        foreach (int length in lengths)
        {
            last = length <= key.Length ? Math.Max(last, LastOf(prefixes, key[..length])) : last;
        }

        return last;
    }

    private static bool HasLaterDemand(ReadOnlySpan<WriteCommand> commands)
    {
        for (int i = 1; i < commands.Length; i++)
        {
            if (commands[i].Expected.Kind != ExpectedVersionKind.Any)
            {
                return true;
            }
        }

        return false;
    }
}
