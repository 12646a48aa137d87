using Jackdaw.Json;

namespace Jackdaw.Documents.Commands;

/// <summary>Parsed commands in the order they were sent, and the pooled memory that holds them.</summary>
/// <remarks>What the commands point to is valid until the next one is added, <see cref="Clear"/> or
/// <see cref="Dispose"/>. Not thread-safe. Meant to be reused: a command takes the object that was at its place before,
/// if that is of its kind.</remarks>
public sealed class ParsedBatch : IDisposable
{
    /// <summary>Most commands in one body. Until it is answered, each takes some hundred bytes besides its text, and
    /// 150 bytes of answer: with this bound a large body stays within the memory that is counted for it. Sessions send
    /// tens.</summary>
    public const int CommandsMax = 500_000;

    private DocumentCommand?[] _commands = [];

    /// <summary>How many commands.</summary>
    public int Count { get; private set; }

    /// <summary>Objects kept for the next use. Each has about 250 bytes: together about as much as a buffer that is
    /// kept.</summary>
    public int KeptCommandsMax { get; init; } = 256;

    /// <summary>Bytes of ids, change vectors and stored forms: the size of the batch.</summary>
    public int ByteCount => Buffer.Length;

    /// <summary>The commands are to be written as a cluster-wide transaction.</summary>
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

    /// <summary>The kind of command that needs most of its sender; null: there is no command.</summary>
    internal CommandKind? MostDemanding { get; private set; }

    /// <summary>Documents that commands name beside their own.</summary>
    internal int NamedCount { get; set; }

    internal PooledBuffer Buffer { get; } = new();

    /// <summary>A command as it was parsed, by its place in the request.</summary>
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
        if (_commands.Length > KeptCommandsMax)
        {
            _commands = _commands[..KeptCommandsMax];
        }

        foreach (DocumentCommand? command in _commands.AsSpan(0, Math.Min(Count, _commands.Length)))
        {
            command!.Clear();
        }

        Count = 0;
    }

    /// <summary>Gives pooled memory back. The batch can be filled again.</summary>
    public void Dispose()
    {
        Count = 0;
        HasComputed = false;
        MostDemanding = null;
        Buffer.Dispose();
        _commands = [];
    }

    /// <summary>Notes what a command that is going to be added needs of its sender.</summary>
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
