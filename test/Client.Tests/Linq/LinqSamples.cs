using Jackdaw.Client.Conventions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Tests.Linq;

public enum Role
{
    Reader,
    Admin,
}

public enum Level
{
    Low,
    Medium,
    High,
}

[Flags]
public enum Rights
{
    None = 0,
    Read = 1,
    Write = 2,
    Delete = 4,
}

public sealed class Address
{
    public string City { get; set; } = "";

    public string? Street { get; set; }
}

public sealed class User
{
    public string Id { get; set; } = "";

    public string? Name { get; set; }

    public string? Bio { get; set; }

    public int Age { get; set; }

    public double? Score { get; set; }

    public decimal Rate { get; set; }

    public bool IsActive { get; set; }

    public bool? Flag { get; set; }

    public Role Role { get; set; }

    public char Grade { get; set; }

    public DateTime CreatedAt { get; set; }

    public Address Address { get; set; } = new();

    public List<string> Tags { get; set; } = [];

    public Dictionary<string, int> Dict { get; set; } = [];

    public Level Level { get; set; }

    public Level? Rank { get; set; }

    public Rights Rights { get; set; }

    public long Big { get; set; }

    public decimal Price { get; set; }

    public DateTime? Ended { get; set; }

    public List<Line> Lines { get; set; } = [];
}

public sealed class Line
{
    public string Product { get; set; } = "";

    public int Quantity { get; set; }

    public decimal Price { get; set; }
}

public sealed class Company
{
    public string Id { get; set; } = "";

    public string Name { get; set; } = "";
}

public sealed class Order
{
    public string Id { get; set; } = "";

    public string Company { get; set; } = "";

    public string Employee { get; set; } = "";

    public string City { get; set; } = "";

    public decimal Total { get; set; }

    public double Lat { get; set; }

    public double Lng { get; set; }

    public string Area { get; set; } = "";

    public string Notes { get; set; } = "";

    public DateTime At { get; set; }

    public Address ShipTo { get; set; } = new();

    public List<Line> Lines { get; set; } = [];
}

public sealed record NameAndAge(string Name, int Age);

public sealed class UserRow
{
    public string? Id { get; set; }

    public string? Name { get; set; }

    public int Years { get; set; }
}

/// <summary>A runner that sends nothing: it keeps the query and gives the rows it was made with.</summary>
public sealed class FakeRunner : IQueryRunner
{
    public FakeRunner(DocumentConventions? conventions = null)
    {
        Conventions = conventions ?? new DocumentConventions();
        Serializer = new DocumentSerializer(Conventions);
    }

    public DocumentConventions Conventions { get; }

    public DocumentSerializer Serializer { get; }

    public IndexQuery? Sent { get; private set; }

    public bool? WasAsync { get; private set; }

    public List<object?> Rows { get; } = [];

    public QueryStatistics Statistics { get; } = new();

    public PendingAnswer<T> RunLazily<T>(IndexQuery query, Action<QueryAnswer<T>> afterRun) =>
        (isAsync, token) => RunAsync<T>(query, isAsync, token);

    public ValueTask<QueryAnswer<T>> RunAsync<T>(IndexQuery query, bool isAsync, CancellationToken token)
    {
        (Sent, WasAsync) = (query, isAsync);
        List<T> rows = query.Shape.Kind == ResultKind.None ? [] : [.. Rows.Cast<T>()];
        return ValueTask.FromResult(new QueryAnswer<T> { Results = rows, Statistics = Statistics });
    }

    public async IAsyncEnumerable<T> StreamAsync<T>(
        IndexQuery query, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken token)
    {
        Sent = query;
        foreach (object? row in Rows)
        {
            await Task.Yield();
            yield return (T)row!;
        }
    }
}
