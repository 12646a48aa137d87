using System.Text.Json;

namespace Jackdaw.Indexing.Building;

/// <summary>Counts what an index has done since it was created. Written with each batch, in its transaction. Immutable.</summary>
internal sealed record IndexTotals
{
    public static readonly IndexTotals None = new();

    /// <summary>Documents that were mapped because they changed.</summary>
    public long Mapped { get; init; }

    public long MapErrors { get; init; }

    /// <summary>Documents that were mapped again because one that they load changed.</summary>
    public long Referred { get; init; }

    public long ReferenceErrors { get; init; }

    /// <summary>Groups that were reduced.</summary>
    public long Reduced { get; init; }

    public long ReduceErrors { get; init; }

    /// <summary>Most entries of one document.</summary>
    public long OutputsMax { get; init; }

    /// <summary>When the last batch that read something ended. UTC ticks; 0 if there was none.</summary>
    public long LastIndexingTicks { get; init; }

    /// <summary>Documents that were mapped, or could not be, since the index was created or last enabled.</summary>
    public long RatedAttempts { get; init; }

    /// <summary>Failures among <see cref="RatedAttempts"/>.</summary>
    public long RatedErrors { get; init; }

    /// <summary>All failures.</summary>
    public long Errors => MapErrors + ReferenceErrors + ReduceErrors;

    public IndexTotals Plus(IndexTotals batch) => new()
    {
        Mapped = Mapped + batch.Mapped,
        MapErrors = MapErrors + batch.MapErrors,
        Referred = Referred + batch.Referred,
        ReferenceErrors = ReferenceErrors + batch.ReferenceErrors,
        Reduced = Reduced + batch.Reduced,
        ReduceErrors = ReduceErrors + batch.ReduceErrors,
        OutputsMax = Math.Max(OutputsMax, batch.OutputsMax),
        LastIndexingTicks = Math.Max(LastIndexingTicks, batch.LastIndexingTicks),
        RatedAttempts = RatedAttempts + batch.Mapped + batch.Referred,
        RatedErrors = RatedErrors + batch.Errors,
    };

    public byte[] ToBytes() => JsonSerializer.SerializeToUtf8Bytes(
        new[] { Mapped, MapErrors, Referred, ReferenceErrors, Reduced, ReduceErrors, OutputsMax, LastIndexingTicks, RatedAttempts, RatedErrors });

    /// <summary>Reads what <see cref="ToBytes"/> made; no bytes mean <see cref="None"/>.</summary>
    public static IndexTotals Read(ReadOnlySpan<byte> stored)
    {
        if (stored.IsEmpty)
        {
            return None;
        }

        long[] numbers = JsonSerializer.Deserialize<long[]>(stored)!;
        return new IndexTotals
        {
            Mapped = numbers[0],
            MapErrors = numbers[1],
            Referred = numbers[2],
            ReferenceErrors = numbers[3],
            Reduced = numbers[4],
            ReduceErrors = numbers[5],
            OutputsMax = numbers[6],
            LastIndexingTicks = numbers[7],
            RatedAttempts = numbers.Length > 8 ? numbers[8] : 0, // indexes of earlier versions did not count it
            RatedErrors = numbers.Length > 9 ? numbers[9] : 0,
        };
    }
}
