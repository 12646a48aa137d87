using System.Diagnostics.CodeAnalysis;
using System.Text;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Extensions;

namespace Jackdaw.Documents.Commands;

/// <summary>The kinds of commands that one type of request may hold.</summary>
internal sealed class CommandKinds
{
    private readonly CommandKind[] _kinds;

    public CommandKinds(string request, DocumentExtensions extensions, params IReadOnlyList<CommandKind> kinds)
    {
        Request = request;
        Extensions = extensions;
        _kinds = [.. kinds];
    }

    /// <summary>What documents of the commands can have besides their text.</summary>
    public DocumentExtensions Extensions { get; }

    /// <summary>The request that the commands are part of, for messages.</summary>
    public string Request { get; }

    /// <summary>All kinds, in the order in which they are tried.</summary>
    public IReadOnlyList<CommandKind> All => _kinds;

    /// <summary>The names of the supported kinds, for messages.</summary>
    public string Names => string.Join(" or ", _kinds.Where(kind => kind.Read is not null).Select(kind => kind.Name));

    /// <summary>Finds a kind by its name in UTF-8, in any casing. The most common kind is tried first.</summary>
    public bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out CommandKind? found)
    {
        foreach (CommandKind kind in _kinds)
        {
            if (Ascii.EqualsIgnoreCase(name, kind.Name))
            {
                found = kind;
                return true;
            }
        }

        found = null;
        return false;
    }
}

/// <summary>Reads one command from its members, and adds it to the batch.</summary>
internal delegate void CommandReader(ref CommandText text);

/// <summary>A kind of command as requests name it.</summary>
/// <param name="Name">The value of the member Type, which is compared without regard to case.</param>
/// <param name="Access">The access that the sender needs.</param>
/// <param name="Read">Reads a command; null for a kind that clients may send and that this server does not support yet.</param>
internal sealed record CommandKind(string Name, Access Access, CommandReader? Read)
{
    /// <summary>The subject of messages about missing access.</summary>
    public string Title { get; } = $"The command {Name}";

    /// <summary>Whether the member Document holds a document, which is parsed in place.</summary>
    public bool TakesDocument { get; init; }

    /// <summary>A kind that is known, but not supported yet.</summary>
    public static CommandKind Later(string name) => new(name, Access.ReadWrite, Read: null);
}
