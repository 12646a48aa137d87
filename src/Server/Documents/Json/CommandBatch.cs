using System.Buffers;

namespace Jackdaw.Server.Documents.Json;

/// <summary>Parsed commands in the order they were sent, and the pooled memory they lie in.</summary>
/// <remarks>What the indexer returns is valid until the next command is added, <see cref="Clear"/> or
/// <see cref="Dispose"/>. Not thread-safe. Meant to be kept and filled again.</remarks>
public sealed class CommandBatch : IDisposable
{
    private CommandExtent[] _commands = [];

    /// <summary>How many commands.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of ids, change vectors and stored forms: what the batch weighs.</summary>
    public int ByteCount => Buffer.Length;

    internal PooledBuffer Buffer { get; } = new();

    /// <summary>A command, by its place in the request.</summary>
    public DocumentCommand this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            CommandExtent command = _commands[index];
            bool isPut = command.Kind == DocumentCommandKind.Put;
            ReadOnlyMemory<byte> id = command.Id.In(Buffer);
            return new DocumentCommand
            {
                Kind = command.Kind,
                Id = id,
                Key = command.Key.In(Buffer),
                IdKind = isPut ? DocumentIds.KindOf(id.Span) : DocumentIdKind.Complete,
                Check = CheckOf(command.ChangeVector),
                ChangeVector = command.ChangeVector.In(Buffer),
                IsIdPrefix = command.IsIdPrefix,
                Document = isPut ? Resolve(command.Document) : default,
            };
        }
    }

    /// <summary>Forgets all commands.</summary>
    public void Clear()
    {
        Count = 0;
        Buffer.Clear();
        // As large as a buffer that is not kept: an idle batch holds little.
        const int keptCommandsMax = 4096;
        if (_commands.Length > keptCommandsMax)
        {
            ReturnCommands();
        }
    }

    /// <summary>Gives pooled memory back. The batch can be filled again.</summary>
    public void Dispose()
    {
        Count = 0;
        Buffer.Dispose();
        ReturnCommands();
    }

    internal void Add(in CommandExtent command)
    {
        if (Count == _commands.Length)
        {
            const int firstCommands = 16;
            CommandExtent[] larger = ArrayPool<CommandExtent>.Shared.Rent(Math.Max(firstCommands, Count * 2));
            _commands.AsSpan(0, Count).CopyTo(larger);
            ReturnCommands();
            _commands = larger;
        }
        _commands[Count++] = command;
    }

    private ParsedDocument Resolve(in DocumentExtent document) => new(
        Buffer.Slice(document.Start, document.Length),
        document.MetadataStart - document.Start,
        Buffer.Slice(document.CollectionStart, document.CollectionLength));

    private static ChangeVectorCheck CheckOf(TextExtent changeVector)
    {
        if (changeVector.IsNull)
        {
            return ChangeVectorCheck.None;
        }
        return changeVector.Length == 0 ? ChangeVectorCheck.MustNotExist : ChangeVectorCheck.MustEqual;
    }

    private void ReturnCommands()
    {
        if (_commands.Length > 0)
        {
            ArrayPool<CommandExtent>.Shared.Return(_commands);
            _commands = [];
        }
    }
}
