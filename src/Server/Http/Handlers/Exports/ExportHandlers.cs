using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Exports;

/// <summary>Documents as a file for people and other programs: JSON with everything, or CSV with the members as columns.</summary>
internal static class ExportHandlers
{
    private static readonly Input s_format = Input.OneOf("format", "How the file is written.", "csv", "json").Or("json");

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/docs/export", Access.Read, RouteTraits.Streams, ExportAsync)
            .Says("Downloads documents as a file.")
            .Takes(
                s_format,
                Input.Text("collection", "Only documents of this collection.", "Orders"),
                Input.Text("field", "A member that becomes a column; without it all members do.", "Company").Repeated().With(s_format))
            .Answers(200, "The documents, newest first.", MediaTypes.Json, MediaTypes.Csv);
        // As GET it would read all documents for a body that nobody gets.
        routes.Database("HEAD", "/docs/export", Access.Read, RouteTraits.None, context => context.Empty(StatusCodes.Status200OK))
            .Says("Tells that documents can be downloaded.")
            .AnswersEmpty(200, "They can.");
    }

    private static async ValueTask ExportAsync(RequestContext context)
    {
        string format = context.Query.GetText("format") ?? "json";
        if (format is not ("json" or "csv"))
        {
            throw new RequestRefusedException(Problem.Argument($"The query parameter 'format' is '{format}'; give json or csv."));
        }

        string collection = context.Query.GetText("collection") ?? "";
        byte[] name = Encoding.UTF8.GetBytes(collection);
        Etag newest = NewestOf(context);
        CsvRows? rows = format == "csv" ? new CsvRows(ColumnsOf(context, name, newest)) : null;
        context.Response.StatusCode = StatusCodes.Status200OK;
        context.Response.ContentType = rows is null ? "application/json; charset=utf-8" : "text/csv; charset=utf-8; header=present";
        context.Response.Headers.ContentDisposition = $"attachment; filename=\"{FileName(context, collection)}.{format}\"";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        context.Response.Headers["Server-Timing"] = ServerTiming.ForRead(context.StartTimestamp);
        await context.Response.StartAsync(context.Aborted).ConfigureAwait(false);
        await SendAsync(context, new ExportWalk(name, newest), rows).ConfigureAwait(false);
    }

    private static async Task SendAsync(RequestContext context, ExportWalk walk, CsvRows? rows)
    {
        using var step = new ResponseBuffer(context.Server.Answers);
        bool isFirst = true;
        if (rows is null)
        {
            step.Append("["u8);
        }

        rows?.WriteHead(step);
        int Visit(DocumentCursor cursor)
        {
            long before = step.Length;
            if (rows is not null)
            {
                rows.Write(step, cursor.Current);
            }
            else
            {
                step.Append(isFirst ? "\n"u8 : ",\n"u8);
                DocumentAnswers.Write(step, context.Database, cursor.Current, metadataOnly: false);
            }

            isFirst = false;
            return (int)(step.Length - before);
        }

        bool isMore = true;
        while (isMore)
        {
            context.Server.Stopping.Token.ThrowIfCancellationRequested();
            using (RenewedRead read = context.OpenRead(ReaderKind.Stream))
            {
                isMore = walk.Step(read, Visit, HttpLimits.StepBytes);
            }

            step.Append(isMore || rows is not null ? default : "\n]\n"u8);
            await step.CopyToAsync(context.Response.BodyWriter, context.Aborted).ConfigureAwait(false);
            await context.Response.BodyWriter.FlushAsync(context.Aborted).ConfigureAwait(false);
            step.Clear();
        }
    }

    private static Etag NewestOf(RequestContext context)
    {
        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Stream);
        return read.LastEtag;
    }

    /// <summary>The members that the client names, or those of all documents.</summary>
    private static IEnumerable<string> ColumnsOf(RequestContext context, byte[] collection, Etag newest)
    {
        List<string> named = context.Query.GetAll("field");
        if (named.Count > 0)
        {
            return named;
        }

        var names = new HashSet<string>();
        bool isTooMany = false;
        var walk = new ExportWalk(collection, newest);
        using RenewedRead read = context.OpenRead(ReaderKind.Stream);
        while (walk.Step(read, Visit, long.MaxValue))
        {
            context.Server.Stopping.Token.ThrowIfCancellationRequested();
            read.Renew();
        }

        return !isTooMany ? names : throw new RequestRefusedException(Problem.Argument(
            $"The documents have more than {CsvRows.ColumnsMax} members with different names, too many for columns; "
            + "name those that you want: &field=Name&field=..."));

        int Visit(DocumentCursor cursor)
        {
            isTooMany = !CsvRows.TryAddNames(cursor.Current.Body, names);
            return isTooMany ? -1 : 0;
        }
    }

    // A name of a collection may hold anything; a header and a file name may not.
    private static string FileName(RequestContext context, string collection)
    {
        string name = collection.Length == 0 ? context.Database.Name : $"{context.Database.Name}-{collection}";
        return string.Concat(name.Take(100).Select(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.' ? letter : '_'));
    }
}
