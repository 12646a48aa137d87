using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.AspNetCore;

/// <summary>What a store is made with.</summary>
public sealed class JackdawOptions
{
    /// <summary>Addresses of servers that hold the same databases, such as <c>http://127.0.0.1:8080</c>. Required.</summary>
    public IReadOnlyList<string> Urls { get; set; } = [];

    /// <summary>The database of the sessions. Required.</summary>
    public string? Database { get; set; }

    /// <summary>Time that one request may take. Null means 5 minutes, and no limit for streams and bulk inserts.</summary>
    public TimeSpan? RequestTimeout { get; set; }

    /// <summary>Where the options come from, for messages; null if they come from code.</summary>
    internal string? Section { get; set; }

    /// <summary>What is wrong with the section itself, found before the values are checked.</summary>
    internal List<string> Problems { get; } = [];

    internal Action<DocumentConventions>? ConventionChanges { get; private set; }

    /// <summary>Changes the conventions of the store before it is initialized. Several changes are made in the order of the calls.</summary>
    public void Conventions(Action<DocumentConventions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        ConventionChanges += change;
    }
}
