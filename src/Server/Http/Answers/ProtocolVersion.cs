namespace Jackdaw.Server.Http.Answers;

/// <summary>The version reported to clients: the protocol's, not the product's, because clients switch features by
/// it.</summary>
internal static class ProtocolVersion
{
    /// <summary>Four numbers. Below 5.2 clients drop the change vectors of loaded documents, below 6.1 the heart-beats
    /// of bulk inserts.</summary>
    public const string Full = "7.2.0.0";

    public const string Product = "7.2";

    public const int Build = 72000;

    public const string HeaderName = "Raven-Server-Version";
}
