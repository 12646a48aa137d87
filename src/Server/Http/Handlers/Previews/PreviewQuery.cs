using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>The parameters of a page of previews.</summary>
/// <param name="Collection">UTF-8; empty for all documents.</param>
/// <param name="Prefix">The key with which ids begin, and by which they are then ordered; empty for the newest documents first.</param>
/// <param name="Start">Documents before the page.</param>
/// <param name="PageSize">Documents of the page.</param>
/// <param name="UpTo">Newer documents are left out, so that pages read one after the other fit together.</param>
/// <param name="Fields">The wanted members of documents; empty for those that the page has.</param>
internal sealed record PreviewQuery(byte[] Collection, byte[] Prefix, long Start, int PageSize, Etag UpTo, IReadOnlyList<string> Fields)
{
    /// <summary>A page for a person, who looks at some tens of rows.</summary>
    public const int PageSizeMax = 1000;

    private const int PageSizeDefault = 100;

    /// <summary>What <see cref="Read"/> reads.</summary>
    public static IReadOnlyList<Input> Inputs { get; } =
    [
        Input.Text("collection", "Only documents of this collection.", "Orders"),
        Input.Text("startsWith", "Only documents whose ids begin so, ordered by id; without it the newest come first.", "orders/1"),
        Descriptions.Inputs.Start,
        Input.Count("pageSize", $"The most documents of the answer, 1 to {PageSizeMax}.", "10").Or($"{PageSizeDefault}"),
        Input.Count("upTo", "An etag: newer documents are left out, so that pages fit together.", "1000"),
        Input.Text("field", $"A member that is wanted, up to {DocumentPreview.FieldsMax}; without it those that the page has.", "Company").Repeated(),
    ];

    /// <exception cref="RequestRefusedException">A value is malformed.</exception>
    public static PreviewQuery Read(QueryParameters query)
    {
        long pageSize = query.GetCount("pageSize", PageSizeDefault);
        if (pageSize is 0 or > PageSizeMax)
        {
            throw new RequestRefusedException(Problem.Argument($"The query parameter 'pageSize' is {pageSize}; give 1 to {PageSizeMax}."));
        }

        List<string> fields = query.GetAll("field");
        if (fields.Count > DocumentPreview.FieldsMax)
        {
            throw new RequestRefusedException(Problem.Argument($"There are {fields.Count} parameters 'field'; give at most {DocumentPreview.FieldsMax}."));
        }

        return new PreviewQuery(
            Encoding.UTF8.GetBytes(query.GetText("collection") ?? ""),
            DocumentKey.Make(query.GetText("startsWith")),
            query.GetCount("start", 0),
            (int)pageSize,
            query.Has("upTo") ? new Etag(query.GetCount("upTo", 0)) : Etag.Maximum,
            fields);
    }
}
