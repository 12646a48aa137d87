namespace Jackdaw.Server.Http.Descriptions;

/// <summary>What the text of an input must be.</summary>
internal enum InputKind
{
    /// <summary>Any text.</summary>
    Text,

    /// <summary>A whole number of 0 or more.</summary>
    Count,

    /// <summary>true or false; as a query parameter also a bare word, which means true.</summary>
    Flag,

    /// <summary>A time in UTC, such as 2026-01-31T10:00:00Z.</summary>
    Time,

    /// <summary>A duration: a number of milliseconds, or a text such as 00:00:15.</summary>
    Span,

    /// <summary>Any JSON; the meaning says which.</summary>
    Json,
}
