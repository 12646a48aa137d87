namespace Jackdaw.Server.Http.Descriptions;

/// <summary>Content types of bodies and answers, without their parameters.</summary>
internal static class MediaTypes
{
    public const string Json = "application/json";
    public const string JsonLines = "application/jsonlines";
    public const string Ndjson = "application/x-ndjson";
    public const string Csv = "text/csv";
    public const string Html = "text/html";
    public const string Plain = "text/plain";
    public const string Pem = "application/x-pem-file";
    public const string Zip = "application/zip";
    public const string Pfx = "application/x-pkcs12";
    public const string Bytes = "application/octet-stream";

    /// <summary>The type that was stored with the content.</summary>
    public const string Any = "*/*";
}
