using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>Tells which members the documents of a collection have, from its newest ones.</summary>
internal static class FieldHandlers
{
    private const int SampleDefault = 200;

    private const int SampleMax = 1000;

    /// <summary>Bytes of documents that are read: large documents need fewer to show what they have.</summary>
    private const long BytesMax = 16L << 20;

    public static void Map(RouteTable routes) => routes.Database("GET", "/collections/fields", Access.Read, RouteTraits.InMultiGet, Get);

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

    private static (FieldSample Sample, bool IsWhole) Read(RequestContext context, byte[] collection, long wanted)
    {
        var sample = new FieldSample();
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        using DocumentCursor cursor = read.Scope.OpenByEtag(collection, EtagOrder.Descending, Etag.Maximum);
        long bytes = 0;
        while (sample.Documents < wanted && bytes < BytesMax)
        {
            if (!cursor.MoveNext())
            {
                return (sample, true);
            }

            sample.Add(cursor.Current.Body);
            bytes += cursor.Current.Body.Length;
        }

        return (sample, !cursor.MoveNext());
    }
}
