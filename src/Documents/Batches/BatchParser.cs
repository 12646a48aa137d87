using System.Buffers;
using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Batches;

/// <summary>Parses the body of bulk_docs: <c>{"Commands":[...],"TransactionMode":...}</c>, members in any
/// order.</summary>
/// <remarks>If one command cannot be understood, the whole batch is refused. One thread at a time. It allocates nothing once the target has grown to the size
/// of the usual batches.</remarks>
public sealed class BatchParser : IDisposable
{
    /// <summary>The largest body, in bytes: two of the largest documents, and half a journal entry.</summary>
    public const int BatchBytesMax = 128 * 1024 * 1024;

    private readonly CommandParser _commands = new();

    /// <summary>Parses a body.</summary>
    /// <param name="body">The decompressed bytes of the body.</param>
    /// <param name="target">It is cleared and gets the commands in their order; it stays empty when the body is refused.</param>
    /// <param name="kinds">Which commands there are.</param>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    internal void Parse(in ReadOnlySequence<byte> body, ParsedBatch target, CommandKinds kinds)
    {
        using var text = new ContiguousText(body, BatchBytesMax, "A batch");
        Parse(text.Bytes, target, kinds);
    }

    /// <summary>As <see cref="Parse(in ReadOnlySequence{byte}, ParsedBatch, CommandKinds)"/>.</summary>
    internal void Parse(ReadOnlySpan<byte> body, ParsedBatch target, CommandKinds kinds)
    {
        ArgumentNullException.ThrowIfNull(target);
        target.Clear();
        try
        {
            ParseBody(body, target, kinds);
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

    /// <summary>Returns pooled memory. The instance can be used again.</summary>
    public void Dispose() => _commands.Dispose();

    private void ParseBody(ReadOnlySpan<byte> body, ParsedBatch target, CommandKinds kinds)
    {
        var cursor = new JsonCursor(body, DocumentParser.SkipToText(body), _commands.Documents);
        bool hasCommands = false;
        int modePosition = -1;
        for (bool has = cursor.OpenObject("The body of a batch"); has; has = cursor.NextMember())
        {
            ReadOnlySpan<byte> name = cursor.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Commands"u8))
            {
                cursor.CheckOnce(!hasCommands, "Commands");
                hasCommands = true;
                ReadCommands(ref cursor, target, kinds);
            }
            else if (Ascii.EqualsIgnoreCase(name, "TransactionMode"u8))
            {
                cursor.CheckOnce(modePosition < 0, "TransactionMode");
                modePosition = ReadMode(ref cursor, target);
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

        CheckMode(body, Math.Max(modePosition, 0), target);
    }

    private void ReadCommands(ref JsonCursor cursor, ParsedBatch target, CommandKinds kinds)
    {
        long index = 0;
        for (bool has = cursor.OpenArray("Commands"); has; has = cursor.NextElement())
        {
            if (index == ParsedBatch.CommandsMax)
            {
                JsonFault.Throw(cursor.Json, cursor.Position, DocumentFormatError.TooLarge,
                    $"The batch has more than {ParsedBatch.CommandsMax} commands; send them in several.");
            }

            _commands.Parse(ref cursor, target, kinds, index++);
        }
    }

    // Returns the position of the value.
    private static int ReadMode(ref JsonCursor cursor, ParsedBatch target)
    {
        cursor.Peek();
        int position = cursor.Position;
        string mode = cursor.ReadText(target.Buffer, "TransactionMode") ?? "SingleNode";
        target.IsClusterWide = mode.Equals("ClusterWide", StringComparison.OrdinalIgnoreCase);
        if (!target.IsClusterWide && !mode.Equals("SingleNode", StringComparison.OrdinalIgnoreCase))
        {
            JsonFault.Throw(cursor.Json, position, DocumentFormatError.InvalidRequest,
                "TransactionMode is neither SingleNode nor ClusterWide; leave it out.");
        }

        return position;
    }

    // The mode may come after the commands.
    private static void CheckMode(ReadOnlySpan<byte> body, int position, ParsedBatch target)
    {
        TransactionModes mode = target.IsClusterWide ? TransactionModes.ClusterWide : TransactionModes.SingleNode;
        for (int i = 0; i < target.Count; i++)
        {
            DocumentCommand command = target[i];
            if ((command.Modes & mode) == 0)
            {
                JsonFault.Throw(body, position, target.IsClusterWide ? DocumentFormatError.InvalidOperation : DocumentFormatError.InvalidRequest,
                    target.IsClusterWide
                    ? $"Command {i} cannot be part of a cluster-wide transaction, which takes PUT, DELETE without IdPrefixed, CompareExchangePUT " +
                        "and CompareExchangeDELETE only. Send the others with TransactionMode SingleNode."
                    : $"Command {i} needs TransactionMode ClusterWide; send the batch in that mode.");
            }

            if (target.IsClusterWide && command is PutCommand { IdKind: DocumentIdKind.NumberedByServer })
            {
                JsonFault.Throw(body, position, DocumentFormatError.InvalidOperation,
                    $"Command {i} has an id that ends with '/', which a cluster-wide transaction cannot complete; end it with '|', or give the whole id.");
            }
        }

        if (target.IsClusterWide && target.Count == 0)
        {
            JsonFault.Throw(body, position, DocumentFormatError.InvalidRequest, "A cluster-wide transaction has no commands; send at least one.");
        }
    }
}
