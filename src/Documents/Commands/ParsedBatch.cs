using Jackdaw.Json;

namespace Jackdaw.Documents.Commands;

/// <summary>Parsed commands in the order in which they were sent, and the pooled memory that holds them.</summary>
/// <remarks>The memory to which commands point is valid until the next command is added, <see cref="Clear"/> or <see cref="Dispose"/>. Not thread-safe. It is
/// meant to be used again: a command takes the object that was at its place before, if that object is of its kind.</remarks>
public sealed class ParsedBatch : IDisposable
{
    /// <summary>The most commands in one body. Until it is answered, each takes some hundred bytes besides its text, and 150 bytes of answer. With this limit a
    /// large body stays within the memory that is counted for it. Sessions send tens of commands.</summary>
    public const int CommandsMax = 500_000;

    private DocumentCommand?[] _commands = [];

    /// <summary>How many commands.</summary>
    public int Count { get; private set; }

    /// <summary>The most objects that are kept for the next use. Each has about 250 bytes, so that they need about as much memory as a kept buffer.</summary>
    public int CachedCommandsMax { get; init; } = 256;

    /// <summary>The size of the batch: the bytes of ids, change vectors and stored forms.</summary>
    public int ByteCount => Buffer.Length;

    /// <summary>Whether the commands have to be written as a cluster-wide transaction.</summary>
    public bool IsClusterWide { get; internal set; }

    /// <summary>All commands, ready to be written.</summary>
    public ReadOnlyMemory<DocumentCommand> Commands
    {
        get
        {
            for (int i = 0; i < Count; i++)
            {
                _commands[i]!.Bind(Buffer);
            }

            return _commands.AsMemory(0, Count)!;
        }
    }

    /// <summary>Whether some of the commands are computed: see <see cref="DocumentCommand.IsComputed"/>.</summary>
    public bool HasComputed { get; private set; }

    /// <summary>The kind of the command that needs the highest access; null when there is no command.</summary>
    internal CommandKind? MostDemanding { get; private set; }

    /// <summary>The number of documents that commands name beside their own.</summary>
    internal int NamedCount { get; set; }

    internal PooledBuffer Buffer { get; } = new();

    /// <summary>A parsed command, by its place in the request.</summary>
    public DocumentCommand this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            DocumentCommand command = _commands[index]!;
            command.Bind(Buffer);
            return command;
        }
    }

    /// <summary>Forgets all commands.</summary>
    public void Clear()
    {
        Buffer.Clear();
        NamedCount = 0;
        IsClusterWide = false;
        HasComputed = false;
        MostDemanding = null;
        if (_commands.Length > CachedCommandsMax)
        {
            _commands = _commands[..CachedCommandsMax];
        }

        foreach (DocumentCommand? command in _commands.AsSpan(0, Math.Min(Count, _commands.Length)))
        {
            command!.Clear();
        }

        Count = 0;
    }

    /// <summary>Returns pooled memory. The batch can be filled again.</summary>
    public void Dispose()
    {
        Count = 0;
        HasComputed = false;
        MostDemanding = null;
        Buffer.Dispose();
        _commands = [];
    }

    /// <summary>Notes the access that a command needs, before the command is added.</summary>
    internal void Note(CommandKind kind)
    {
        if (MostDemanding is null || kind.Access > MostDemanding.Access)
        {
            MostDemanding = kind;
        }
    }

    /// <summary>Adds an empty command.</summary>
    internal TCommand Add<TCommand>()
        where TCommand : DocumentCommand, new()
    {
        if (Count == _commands.Length)
        {
            const int firstCommands = 16;
            Array.Resize(ref _commands, Math.Max(firstCommands, Count * 2));
        }

        if (_commands[Count] is not TCommand command)
        {
            _commands[Count] = command = new TCommand();
        }

        Count++;
        HasComputed |= command.IsComputed;
        return command;
    }
}
