namespace Jackdaw.Server.Documents.Commands;

/// <summary>Reads one command whose members have been taken apart, and adds it to the batch.</summary>
internal delegate void CommandReader(ref CommandText text);

/// <summary>A kind of command as requests name it.</summary>
/// <param name="Name">Value of the member Type; compared without case.</param>
/// <param name="Read">Null: clients may send it, and this server does not support it yet.</param>
internal sealed record CommandKind(string Name, CommandReader? Read)
{
    /// <summary>The member Document is a document, which is parsed where it stands.</summary>
    public bool TakesDocument { get; init; }

    /// <summary>A kind that is refused by its name.</summary>
    public static CommandKind Later(string name) => new(name, Read: null);
}
