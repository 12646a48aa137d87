namespace Jackdaw.Server.Configuration;

/// <summary>Form of the log lines on stderr.</summary>
public enum LogFormat
{
    /// <summary>One line of text per event, for people.</summary>
    Simple,

    /// <summary>One JSON object per event, for collectors.</summary>
    Json,
}
