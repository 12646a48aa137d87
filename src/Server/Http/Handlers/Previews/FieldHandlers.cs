using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>Tells which members the documents of a collection have, from its newest ones.</summary>
internal static class FieldHandlers
{
    private const int SampleDefault = 200;

    private const int SampleMax = 1000;

    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/collections/fields", Access.Read, RouteTraits.InMultiGet, Get)
            .Says("Tells which members the newest documents of a collection have.")
            .Takes(
                Input.Text("collection", "The collection; without it all documents are meant.", "Orders"),
                Input.Count("sample", $"How many documents are read, 1 to {SampleMax}.", "50").Or($"{SampleDefault}"))
            .Answers(200, "Fields has the paths, with kinds and examples.");

    private static ValueTask Get(RequestContext context)
    {
        long wanted = context.Query.GetCount("sample", SampleDefault);
        if (wanted is 0 or > SampleMax)
        {
            throw new RequestRefusedException(Problem.Argument($"The query parameter 'sample' is {wanted}; give 1 to {SampleMax}."));
        }

        byte[] collection = Encoding.UTF8.GetBytes(context.Query.GetText("collection") ?? "");
        (FieldSample sample, bool isWhole) = Read(context, collection, wanted);
        return context.Json(StatusCodes.Status200OK, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("Sampled"u8, sample.Documents);
            json.WriteBoolean("IsWholeCollection"u8, isWhole);
            json.WriteBoolean("HasMoreFields"u8, sample.IsCut);
            sample.Write(json);
            json.WriteEndObject();
        });
    }

    /// <summary>Reads the newest documents of a collection.</summary>
    /// <param name="context">The request.</param>
    /// <param name="collection">UTF-8; empty for all collections.</param>
    /// <param name="wanted">The most documents.</param>
    public static (FieldSample Sample, bool IsWhole) Read(RequestContext context, byte[] collection, long wanted)
    {
        var sample = new FieldSample();
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        using DocumentCursor cursor = read.Scope.OpenByEtag(collection, EtagOrder.Descending, Etag.Maximum);
        bool isSpent = false;
        while (sample.Documents < wanted && !isSpent)
        {
            if (!cursor.MoveNext())
            {
                return (sample, true);
            }

            ReadOnlySpan<byte> body = cursor.Current.Body;
            sample.Add(body);
            isSpent = read.IsSpentAfter(body.Length); // one snapshot: some documents show as much as all
        }

        return (sample, !cursor.MoveNext());
    }
}
