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
        var last = new Dictionary<byte[], int>(ByteTextComparer.Instance);
        var lastByKey = last.GetAlternateLookup<ReadOnlySpan<byte>>();
        var prefixes = new List<int>();
        for (int i = 0; i < commands.Length; i++)
        {
            ref readonly WriteCommand command = ref commands[i];
            touches[i] = lastByKey.TryGetValue(command.Key.Span, out int touch) ? touch : -1;
            foreach (int prefix in prefixes)
            {
                if (prefix > touches[i] && command.Key.Span.StartsWith(commands[prefix].Key.Span))
                {
                    touches[i] = prefix;
                }
            }

            if (command.Kind == WriteCommandKind.DeletePrefix)
            {
                prefixes.Add(i);
            }
            else if (command.Kind != WriteCommandKind.Check && !PreparedRows.IsCompletedByWriter(command))
            {
                lastByKey[command.Key.Span] = i;
            }
        }

        return touches;
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
