using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Documents.Counters;

/// <summary>What a request does with a counter; the names are the protocol's.</summary>
internal enum CounterOperationKind
{
    /// <summary>Adds a number; a counter that is not there begins at 0.</summary>
    Increment,

    /// <summary>Deletes it; one that is not there is no error.</summary>
    Delete,

    /// <summary>Reads it.</summary>
    Get,

    /// <summary>Sets it to a number.</summary>
    Put,

    /// <summary>Reads all counters of the document.</summary>
    GetAll,
}

/// <summary>One operation of a request on a counter of a document.</summary>
internal struct CounterOperation
{
    public CounterOperationKind Kind { get; init; }

    /// <summary>Increment: what is added. Put: the new value.</summary>
    public long Delta { get; init; }

    /// <summary>As sent; empty for all counters.</summary>
    public ReadOnlyMemory<byte> Name { get; private set; }

    /// <summary>In lower case.</summary>
    public ReadOnlyMemory<byte> NameKey { get; private set; }

    internal TextExtent NameExtent { get; init; }

    internal TextExtent NameKeyExtent { get; init; }

    /// <summary>Whether it changes nothing.</summary>
    public readonly bool IsRead => Kind is CounterOperationKind.Get or CounterOperationKind.GetAll;

    /// <summary>One that was not parsed.</summary>
    public static CounterOperation Of(CounterOperationKind kind, byte[] name, byte[] nameKey, long delta) =>
        new() { Kind = kind, Name = name, NameKey = nameKey, Delta = delta };

    /// <summary>Finds the parts of a parsed operation in the buffer.</summary>
    internal void Bind(PooledBuffer buffer)
    {
        Name = NameExtent.In(buffer);
        NameKey = NameKeyExtent.In(buffer);
    }
}

/// <summary>A counter as an answer has it.</summary>
/// <param name="Name">As stored.</param>
/// <param name="Etag">None: there is no such counter.</param>
internal readonly record struct CounterDetail(ReadOnlyMemory<byte> Name, long Value, Etag Etag)
{
    public bool IsMissing => Etag == Etag.None;

    /// <summary>The detail of a stored counter.</summary>
    /// <param name="asked">Its name in the casing of the request: most are the same, and need not be copied.</param>
    public static CounterDetail Of(CounterRow row, ReadOnlyMemory<byte> asked) =>
        new(row.Name.SequenceEqual(asked.Span) ? asked : row.Name.ToArray(), row.Value, row.Etag);
}
