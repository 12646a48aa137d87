namespace Jackdaw.Server.Http.Descriptions;

/// <summary>Query parameters that many routes have. Those of a shared reader stand beside the reader.</summary>
internal static class Inputs
{
    public static Input Start { get; } = Input.Count("start", "How many results are skipped.", "0").Or("0");

    public static Input PageSize { get; } = Input.Count("pageSize", "The most results of the answer; without it all of them.", "10");

    /// <summary>A page of a list.</summary>
    public static IReadOnlyList<Input> Page { get; } = [Start, PageSize];

    public static Input MetadataOnly { get; } = Input.Flag("metadataOnly", "Whether the answer has only the metadata of documents.");

    public static Input NamesOnly { get; } = Input.Flag("namesOnly", "Whether the answer has only the names.");

    public static Input DocumentId { get; } = Input.Text("id", "The id of the document.", "orders/1-A").Required();

    public static Input DatabaseName { get; } = Input.Text("name", "The name of the database.", "Shop").Required();

    public static Input OperationId { get; } = Input.Count("id", "The number of the operation.", "1").Required();
}
