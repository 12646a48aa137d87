using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Ordering;

/// <summary>Turns keys of an order into those of Lucene. Entries that are equal in all keys have the order in which they were added.</summary>
internal static class SortTranslator
{
    public static Sort Translate(IReadOnlyList<SortKey> keys, IndexFields fields) =>
        keys.Count == 0 ? new Sort(SortField.FIELD_DOC) : new Sort([.. keys.Select(key => Translate(key, fields))]);

    private static SortField Translate(SortKey key, IndexFields fields)
    {
        bool nullsFirst = key.Nulls == NullOrder.First || (key.Nulls == NullOrder.Smallest && !key.IsDescending);

        // In descending order, Lucene reverses the order of nulls too.
        bool nullsAreSmall = nullsFirst != key.IsDescending;
        return key.By switch
        {
            SortBy.Score => new SortField(null, SortFieldType.SCORE, key.IsDescending),
            SortBy.Id => new SortField(IndexTerms.Id, SortFieldType.STRING, key.IsDescending),
            SortBy.Text => Text(key, nullsAreSmall),
            SortBy.Long => Numbers(key, nullsAreSmall, whole: true),
            SortBy.Double => Numbers(key, nullsAreSmall, whole: false),
            SortBy.Distance => new SortField(
                key.Field, new DistanceSource(key, fields.Find(key.Field).Spatial ?? SpatialSettings.OfEarth, nullsAreSmall), key.IsDescending),
            SortBy.AlphaNumeric => new SortField(key.Field, new NaturalSource(nullsAreSmall), key.IsDescending),
            SortBy.Custom => new SortField(key.Field, new CustomSource(key, nullsAreSmall), key.IsDescending),
            SortBy.Random => new SortField(IndexTerms.Id, new RandomSource(key.Seed), key.IsDescending),
            _ => throw new InvalidSearchException($"This engine does not sort by '{key.By}' yet."),
        };
    }

    private static SortField Text(SortKey key, bool nullsAreSmall)
    {
        var field = new SortField(key.Field, SortFieldType.STRING, key.IsDescending);
        field.SetMissingValue(nullsAreSmall ? SortField.STRING_FIRST : SortField.STRING_LAST);
        return field;
    }

    private static SortField Numbers(SortKey key, bool nullsAreSmall, bool whole) =>
        new(key.Field, new NumberSource(nullsAreSmall, whole), key.IsDescending);

    private sealed class DistanceSource(SortKey key, SpatialSettings settings, bool nullsAreSmall) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) =>
            new DistanceComparer(numHits, key, settings, nullsAreSmall);
    }

    private sealed class NaturalSource(bool nullsAreSmall) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) =>
            new NaturalComparer(fieldname, numHits, nullsAreSmall);
    }

    private sealed class CustomSource(SortKey key, bool nullsAreSmall) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) =>
            new CustomComparer(key.Field, numHits, key.Comparer!, key.Nulls == NullOrder.Smallest ? null : nullsAreSmall);
    }

    private sealed class RandomSource(int seed) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) => new RandomComparer(numHits, seed);
    }

    private sealed class NumberSource(bool nullsAreSmall, bool whole) : FieldComparerSource
    {
        public override FieldComparer NewComparer(string fieldname, int numHits, int sortPos, bool reversed) =>
            new NumberComparer(fieldname, numHits, nullsAreSmall, whole);
    }
}
