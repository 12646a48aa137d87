using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Batches;

/// <summary>Reads the body of bulk_insert, an array of commands, while it arrives.</summary>
/// <remarks>
/// Use: while bytes arrive, call <see cref="Read"/> until it returns something other than
/// <see cref="BulkInsertProgress.Command"/>. It consumes every byte it examines, so a pipe is advanced with one
/// position for both. When the body ends, call <see cref="ExpectEnded"/>.
/// <para>A command within one segment is parsed in place. The pieces of a longer one are gathered first; each byte is
/// copied once and searched once for the end of the command, so input that arrives byte by byte costs no more in
/// total.</para>
/// <code>
/// Start --'['--> FirstOrEnd --'{'--> InCommand --its end--> AfterCommand --','--> BeforeCommand --'{'--> InCommand
///                FirstOrEnd --']'--> Ended                 AfterCommand --']'--> Ended
/// InCommand --its end, an attachment--> InContent --its last byte--> AfterCommand
/// any --fault--> Faulted
/// </code>
/// One thread at a time.
/// </remarks>
public sealed class BulkInsertReader : IDisposable
{
    /// <summary>The bytes that a command may have besides its document: an id of 512 bytes in escapes, and a wide margin.</summary>
    private const int EnvelopeBytesMax = 64 * 1024;

    /// <summary>A command with more bytes than this is gathered outside the managed heap, so that a command that never ends leaves no garbage there. Smaller
    /// ones use pooled buffers.</summary>
    private const int LargeCommandBytes = DocumentLimits.BulkInsertBatchBytesMax;

    /// <summary>The largest command in bytes. It bounds the memory of a command that never ends.</summary>
    public const int CommandBytesMax = DocumentLimits.DocumentBytesMax + EnvelopeBytesMax;

    private readonly CommandParser _parser = new();
    private readonly CommandKinds _kinds;
    private readonly PooledBuffer _gathered = new();
    private readonly ChunkedMemory _gatheredBeyond = new(); // the rest of a command above LargeCommandBytes
    private ElementBoundary _boundary;
    private State _state;
    private long _offset;
    private long _commandOffset;

    /// <param name="kinds">Which commands there are.</param>
    internal BulkInsertReader(CommandKinds kinds) => _kinds = kinds;

    /// <summary>The number of commands that were read, including heartbeats.</summary>
    public long CommandsRead { get; private set; }

    /// <summary>The bytes of the content of the last command that were not taken yet.</summary>
    public long ContentLeft { get; private set; }

    /// <summary>The bytes of a command whose end has not arrived yet.</summary>
    public int PendingBytes => _gathered.Length + (int)_gatheredBeyond.Length;

    /// <summary>Consumes bytes up to the end of the next command and adds it; heartbeats are skipped.</summary>
    /// <param name="input">The bytes that have arrived and are not consumed yet; afterwards, the rest that is still not consumed.</param>
    /// <param name="target">The command is added to it.</param>
    /// <exception cref="DocumentFormatException">The body is refused; the reader cannot continue.</exception>
    public BulkInsertProgress Read(ref ReadOnlySequence<byte> input, ParsedBatch target)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (_state == State.Faulted)
        {
            throw new InvalidOperationException("The body was refused before; a reader cannot continue after that.");
        }
        State before = _state;
        _state = State.Faulted;
        return ReadFrom(before, ref input, target);
    }

    /// <summary>Takes bytes of the content of the last command, which follow it as they are.</summary>
    /// <param name="input">The same as for <see cref="Read"/>.</param>
    /// <returns>The bytes of it that have arrived.</returns>
    public ReadOnlySequence<byte> TakeContent(ref ReadOnlySequence<byte> input)
    {
        ReadOnlySequence<byte> content = input.Slice(0, Math.Min(ContentLeft, input.Length));
        input = input.Slice(content.End);
        ContentLeft -= content.Length;
        _offset += content.Length;
        _state = ContentLeft == 0 ? State.AfterCommand : State.InContent;
        return content;
    }

    /// <summary>Refuses a body that ended before its closing bracket.</summary>
    public void ExpectEnded()
    {
        if (_state != State.Ended)
        {
            ThrowAt(_offset, DocumentFormatError.UnexpectedEnd,
                $"The body ends before its closing bracket, after {CommandsRead} commands; send the rest, or ']'.");
        }
    }

    /// <summary>Returns pooled memory.</summary>
    public void Dispose()
    {
        _parser.Dispose();
        _gathered.Dispose();
        _gatheredBeyond.Dispose();
    }

    // The field has the state only between calls, so that an exception leaves it at Faulted.
    private BulkInsertProgress ReadFrom(State state, ref ReadOnlySequence<byte> input, ParsedBatch target)
    {
        while (state != State.Ended && !input.IsEmpty)
        {
            if (state == State.InContent)
            {
                _state = state;
                return BulkInsertProgress.Content;
            }

            ReadOnlySpan<byte> span = input.FirstSpan;
            if (span.IsEmpty)
            {
                // A sequence may contain empty segments; slicing off zero bytes would never get past one.
                SequencePosition next = input.Start;
                input.TryGet(ref next, out _);
                input = input.Slice(next);
                continue;
            }
            int countBefore = target.Count;
            int taken = state == State.InCommand
                ? TakeCommand(span, target, ref state)
                : TakeBetween(span, ref state);
            input = input.Slice(taken);
            _offset += taken;
            if (target.Count > countBefore)
            {
                _state = state;
                return BulkInsertProgress.Command;
            }
        }
        _state = state;
        return state == State.Ended ? BulkInsertProgress.Ended : BulkInsertProgress.NeedsMore;
    }

    // The opening brace is consumed together with the rest of its command, so that a command in one segment is one
    // span.
    private int TakeCommand(ReadOnlySpan<byte> span, ParsedBatch target, ref State state)
    {
        int countBefore = target.Count;
        int end = _boundary.FindEnd(span, start: _offset == _commandOffset ? 1 : 0);
        int taken = end < 0 ? span.Length : end;
        if (_offset + taken - _commandOffset > CommandBytesMax)
        {
            ThrowAt(_commandOffset, DocumentFormatError.TooLarge,
                $"Command {CommandsRead} is larger than the {CommandBytesMax} bytes allowed; split its document.");
        }
        if (end < 0)
        {
            Gather(span);
            return taken;
        }
        if (_gathered.Length == 0)
        {
            Parse(span[..end], target);
        }
        else
        {
            Gather(span[..end]);
            ParseGathered(target);
        }
        CommandsRead++;
        ContentLeft = target.Count > countBefore ? target[target.Count - 1].ContentLength : 0;
        state = ContentLeft > 0 ? State.InContent : State.AfterCommand;
        return taken;
    }

    private void Gather(ReadOnlySpan<byte> piece)
    {
        if (_gathered.Length + piece.Length <= LargeCommandBytes && _gatheredBeyond.Length == 0)
        {
            _gathered.Append(piece);
        }
        else
        {
            _gatheredBeyond.Append(piece);
        }
    }

    private void ParseGathered(ParsedBatch target)
    {
        if (_gatheredBeyond.Length == 0)
        {
            Parse(_gathered.Written, target);
            _gathered.Clear();
            return;
        }

        int length = PendingBytes;
        byte[] whole = ByteArrays.Rent(length);
        _gathered.Written.CopyTo(whole);
        _gatheredBeyond.MoveTo(whole.AsSpan(_gathered.Length));
        _gathered.Clear();
        Parse(whole.AsSpan(0, length), target);
        ByteArrays.Return(whole);
    }

    private void Parse(ReadOnlySpan<byte> command, ParsedBatch target)
    {
        int mark = target.Buffer.Length;
        try
        {
            var cursor = new JsonCursor(command, position: 0, _parser.Documents);
            _parser.Parse(ref cursor, target, _kinds, CommandsRead);
            // The command ends where its braces balance; otherwise its parser would have refused it.
            Debug.Assert(cursor.Position == command.Length);
        }
        catch (DocumentFormatException refusal)
        {
            target.Buffer.Truncate(mark);
            throw new DocumentFormatException(
                refusal.Error,
                $"Command {CommandsRead} of the bulk insert (line, column and path are within it): {refusal.Problem}",
                refusal.Location.Within(_commandOffset));
        }
    }

    // Whitespace, commas and the brackets of the array.
    private int TakeBetween(ReadOnlySpan<byte> span, ref State state)
    {
        int position = JsonScanner.SkipWhitespace(span, 0);
        if (position == span.Length)
        {
            return position;
        }
        State next = Next(state, span[position]);
        if (next == State.Faulted)
        {
            ThrowUnexpected(state, span[position], _offset + position);
        }
        state = next;
        if (next != State.InCommand)
        {
            return position + 1;
        }
        _commandOffset = _offset + position;
        _boundary.Begin();
        return position;
    }

    private static State Next(State state, byte token) => (state, token) switch
    {
        (State.Start, (byte)'[') => State.FirstOrEnd,
        (State.FirstOrEnd, (byte)']') => State.Ended,
        (State.FirstOrEnd, (byte)'{') => State.InCommand,
        (State.BeforeCommand, (byte)'{') => State.InCommand,
        (State.AfterCommand, (byte)',') => State.BeforeCommand,
        (State.AfterCommand, (byte)']') => State.Ended,
        _ => State.Faulted,
    };

    private void ThrowUnexpected(State state, byte token, long offset)
    {
        const byte firstOfByteOrderMark = 0xEF;
        if (state == State.Start && token == firstOfByteOrderMark)
        {
            ThrowAt(offset, DocumentFormatError.ByteOrderMark,
                "The body seems to start with a byte order mark; send JSON in UTF-8 without one.");
        }
        string expected = state switch
        {
            State.Start => "'[', the start of the array of commands,",
            State.FirstOrEnd => "'{' or ']'",
            State.BeforeCommand => "'{', the start of a command,",
            _ => "',' or ']' after a command",
        };
        string found = token is > 0x20 and < 0x7F ? $"'{(char)token}'" : $"the byte 0x{token:X2}";
        ThrowAt(offset, DocumentFormatError.Syntax,
            $"Found {found} where {expected} is expected, after {CommandsRead} commands of the bulk insert.");
    }

    private static void ThrowAt(long offset, DocumentFormatError error, string problem)
        => throw new DocumentFormatException(
            error,
            problem,
            new JsonLocation(offset, Line: 1, Column: (int)Math.Min(offset + 1, int.MaxValue), Path: ""));

    private enum State
    {
        Start,
        FirstOrEnd,
        BeforeCommand,
        InCommand,
        InContent,
        AfterCommand,
        Ended,
        Faulted,
    }
}
