using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.AspNetCore;

/// <summary>What a store is made with.</summary>
public sealed class JackdawOptions
{
    /// <summary>Addresses of servers that hold the same databases, as <c>http://127.0.0.1:8080</c>. Needed.</summary>
    public IReadOnlyList<string> Urls { get; set; } = [];

    /// <summary>The database of sessions. Needed.</summary>
    public string? Database { get; set; }

    /// <summary>Time that one request may take. Null: 5 minutes, and none for streams and bulk inserts.</summary>
    public TimeSpan? RequestTimeout { get; set; }

    /// <summary>Where they come from, for messages; null: from code.</summary>
    internal string? Section { get; set; }

    /// <summary>What is wrong with the section, before anybody looks at the values.</summary>
    internal List<string> Problems { get; } = [];

    internal Action<DocumentConventions>? ConventionChanges { get; private set; }

    /// <summary>Changes the conventions of the store before it is initialized. Several changes are made in the order of the calls.</summary>
    public void Conventions(Action<DocumentConventions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        ConventionChanges += change;
    }
}
