using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Documents.Counters;

/// <summary>The operations of requests on a counter, by their names in the protocol.</summary>
internal enum CounterOperationKind
{
    /// <summary>Adds a number. A missing counter begins at 0.</summary>
    Increment,

    /// <summary>Deletes the counter. A missing counter is not an error.</summary>
    Delete,

    /// <summary>Reads it.</summary>
    Get,

    /// <summary>Sets the counter to a number.</summary>
    Put,

    /// <summary>Reads all counters of the document.</summary>
    GetAll,
}

/// <summary>One operation of a request on a counter of a document.</summary>
internal struct CounterOperation
{
    public CounterOperationKind Kind { get; init; }

    /// <summary>For Increment, the number that is added. For Put, the new value.</summary>
    public long Delta { get; init; }

    /// <summary>The name as it was sent; empty for all counters.</summary>
    public ReadOnlyMemory<byte> Name { get; private set; }

    /// <summary>In lower case.</summary>
    public ReadOnlyMemory<byte> NameKey { get; private set; }

    internal TextExtent NameExtent { get; init; }

    internal TextExtent NameKeyExtent { get; init; }

    /// <summary>Whether the operation changes nothing.</summary>
    public readonly bool IsRead => Kind is CounterOperationKind.Get or CounterOperationKind.GetAll;

    /// <summary>Makes an operation that was not parsed.</summary>
    public static CounterOperation Of(CounterOperationKind kind, byte[] name, byte[] nameKey, long delta) =>
        new() { Kind = kind, Name = name, NameKey = nameKey, Delta = delta };

    /// <summary>Finds the parts of a parsed operation in the buffer.</summary>
    internal void Bind(PooledBuffer buffer)
    {
        Name = NameExtent.In(buffer);
        NameKey = NameKeyExtent.In(buffer);
    }
}

/// <summary>A counter in an answer.</summary>
/// <param name="Name">The stored name; of a counter that was asked for by its name, the name as it was asked for, by which clients find it.</param>
/// <param name="Etag">None when there is no such counter.</param>
internal readonly record struct CounterDetail(ReadOnlyMemory<byte> Name, long Value, Etag Etag)
{
    public bool IsMissing => Etag == Etag.None;

    /// <summary>The detail of a stored counter.</summary>
    /// <param name="asked">The name in the casing of the request. Most stored names are the same, so that they need not be copied.</param>
    public static CounterDetail Of(CounterRow row, ReadOnlyMemory<byte> asked) =>
        new(row.Name.SequenceEqual(asked.Span) ? asked : row.Name.ToArray(), row.Value, row.Etag);
}
