using System.Buffers;
using System.Text;

namespace Jackdaw.Server.Documents.Json;

/// <summary>Parses the body of bulk_docs: <c>{"Commands":[...],"TransactionMode":...}</c>, members in any
/// order.</summary>
/// <remarks>All or nothing: one command that cannot be understood refuses the batch. One thread at a time; allocates
/// nothing once the target has grown to the batches it sees.</remarks>
public sealed class BatchParser : IDisposable
{
    /// <summary>Largest body. Bytes: two of the largest documents, and half a journal entry.</summary>
    public const int BatchBytesMax = 128 * 1024 * 1024;

    /// <summary>Most commands in one body. Each costs some hundred bytes beside its text until it is answered, and an answer of
    /// 150: this many keep a large body within the memory that it counts for. Sessions send tens.</summary>
    public const int CommandsMax = 500_000;

    private readonly CommandParser _commands = new();

    /// <summary>Parses a body.</summary>
    /// <param name="body">The body's bytes, decompressed.</param>
    /// <param name="target">Is cleared and gets the commands in order; stays empty when the body is refused.</param>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    public void Parse(in ReadOnlySequence<byte> body, CommandBatch target)
    {
        using var text = new ContiguousText(body, BatchBytesMax, "A batch");
        Parse(text.Bytes, target);
    }

    /// <summary>As <see cref="Parse(in ReadOnlySequence{byte}, CommandBatch)"/>.</summary>
    public void Parse(ReadOnlySpan<byte> body, CommandBatch target)
    {
        ArgumentNullException.ThrowIfNull(target);
        target.Clear();
        try
        {
            ParseBody(body, target);
        }
        catch
        {
            target.Clear();
            throw;
        }
        finally
        {
            _commands.Documents.Clear();
        }
    }

    /// <summary>Gives pooled memory back. The instance can be used again.</summary>
    public void Dispose() => _commands.Dispose();

    private void ParseBody(ReadOnlySpan<byte> body, CommandBatch target)
    {
        var cursor = new JsonCursor(body, DocumentParser.SkipToText(body), _commands.Documents);
        bool hasCommands = false;
        bool hasMode = false;
        for (bool has = cursor.OpenObject("The body of a batch"); has; has = cursor.NextMember())
        {
            ReadOnlySpan<byte> name = cursor.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Commands"u8))
            {
                cursor.CheckOnce(!hasCommands, "Commands");
                hasCommands = true;
                ReadCommands(ref cursor, target);
            }
            else if (Ascii.EqualsIgnoreCase(name, "TransactionMode"u8))
            {
                cursor.CheckOnce(!hasMode, "TransactionMode");
                hasMode = true;
                CheckMode(ref cursor, target.Buffer);
            }
            else
            {
                cursor.SkipValue(target.Buffer);
            }
        }
        cursor.ExpectEnd();
        if (!hasCommands)
        {
            JsonFault.Throw(body, body.Length, DocumentFormatError.InvalidRequest,
                "The batch has no Commands; send {\"Commands\":[...]}.");
        }
    }

    private void ReadCommands(ref JsonCursor cursor, CommandBatch target)
    {
        long index = 0;
        for (bool has = cursor.OpenArray("Commands"); has; has = cursor.NextElement())
        {
            if (index == CommandsMax)
            {
                JsonFault.Throw(cursor.Json, cursor.Position, DocumentFormatError.TooLarge,
                    $"The batch has more than {CommandsMax} commands; send them in several.");
            }

            _commands.Parse(ref cursor, target, CommandSource.Batch, index++);
        }
    }

    private static void CheckMode(ref JsonCursor cursor, PooledBuffer scratch)
    {
        cursor.Peek();
        int position = cursor.Position;
        string? mode = cursor.ReadText(scratch, "TransactionMode");
        if (mode is null || mode.Equals("SingleNode", StringComparison.OrdinalIgnoreCase))
        {
            return;
        }
        bool isKnown = mode.Equals("ClusterWide", StringComparison.OrdinalIgnoreCase);
        JsonFault.Throw(cursor.Json, position,
            isKnown ? DocumentFormatError.NotSupportedYet : DocumentFormatError.InvalidRequest,
            isKnown
                ? "TransactionMode ClusterWide is not supported yet by this server; send the batch as SingleNode."
                : "TransactionMode is neither SingleNode nor ClusterWide; leave it out.");
    }
}
