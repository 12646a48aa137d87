using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Security.Auditing;

/// <summary>Which lines of the log are wanted. What is null allows everything. Immutable.</summary>
internal sealed record AuditFilter
{
    /// <summary>All lines.</summary>
    public static AuditFilter Everything { get; } = new();

    /// <summary>One of <see cref="AuditKinds"/>.</summary>
    public string? Kind { get; init; }

    /// <summary>One of <see cref="AuditOutcomes"/>.</summary>
    public string? Outcome { get; init; }

    /// <summary>A part of the name, or the whole thumbprint, session or address, in any casing.</summary>
    public string? Who { get; init; }

    /// <summary>In any casing, as databases are named.</summary>
    public string? Database { get; init; }

    /// <summary>The oldest time.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>The newest time.</summary>
    public DateTimeOffset? Until { get; init; }

    /// <summary>Whether a line is wanted. One that is not a JSON object never is: a crash may have cut it off.</summary>
    public bool Allows(ReadOnlySpan<byte> line)
    {
        var reader = new Utf8JsonReader(line);
        try
        {
            return reader.Read() && reader.TokenType == JsonTokenType.StartObject && AllowsMembers(ref reader) && !reader.Read();
        }
        catch (Exception damaged) when (damaged is JsonException or InvalidOperationException)
        {
            return false;
        }
    }

    // A member that is missing is wanted by nobody who asks for it.
    private bool AllowsMembers(ref Utf8JsonReader reader)
    {
        bool isKind = Kind is null, isOutcome = Outcome is null, isWho = Who is null, isDatabase = Database is null, isTime = Since is null && Until is null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string name = reader.GetString()!;
            reader.Read();
            if (reader.TokenType != JsonTokenType.String)
            {
                reader.Skip();
                continue;
            }

            string text = reader.GetString()!;
            isKind |= name == "kind" && text == Kind;
            isOutcome |= name == "outcome" && text == Outcome;
            isWho |= IsWho(name, text);
            isDatabase |= name == "database" && text.Equals(Database, StringComparison.OrdinalIgnoreCase);
            isTime |= name == "time" && IsTime(text);
        }

        return reader.TokenType == JsonTokenType.EndObject && isKind && isOutcome && isWho && isDatabase && isTime;
    }

    private bool IsWho(string name, string text) => Who is { } wanted && name switch
    {
        "who" => text.Contains(wanted, StringComparison.OrdinalIgnoreCase),
        "thumbprint" or "session" or "from" => text.Equals(wanted, StringComparison.OrdinalIgnoreCase),
        _ => false,
    };

    private bool IsTime(string text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
        && (Since is not { } since || time >= since)
        && (Until is not { } until || time <= until);
}
