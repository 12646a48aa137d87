using System.Text;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>Finds the terms of entries. Where an entry has one term of a field, it is read from the column; else all terms of the field are walked.</summary>
internal static unsafe class TermsOfEntries
{
    /// <param name="fields">In the order in which terms are wanted.</param>
    /// <param name="entries">Entries of the segment, in order.</param>
    /// <param name="found">For each entry the list to which its terms are added.</param>
    public static void Read(
        SegmentView segment, IEnumerable<FieldRecord> fields, ReadOnlySpan<int> entries, List<EntryTerm>[] found, CancellationToken cancellation)
    {
        foreach (FieldRecord field in fields)
        {
            var nulls = segment.FindSet(field.Number, PartKind.Nulls);
            for (int i = 0; i < entries.Length; i++)
            {
                if (nulls.Has(entries[i]))
                {
                    found[i].Add(new EntryTerm(field.Name, null));
                }
            }
        }

        foreach (FieldRecord field in fields)
        {
            cancellation.ThrowIfCancellationRequested();
            Arena.Mark mark = segment.Scratch.Now();
            ReadField(segment, field, entries, found, cancellation);
            segment.Scratch.Return(mark);
        }
    }

    private static void ReadField(SegmentView segment, FieldRecord field, ReadOnlySpan<int> entries, List<EntryTerm>[] found, CancellationToken cancellation)
    {
        bool isText = field.Has(FieldTraits.Positions);
        var dictionary = DictionaryView.Open(segment, field.Number, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
        if (!dictionary.Exists)
        {
            return;
        }

        var cursor = new DictionaryCursor(dictionary, segment.Scratch);
        var ordinals = ColumnReader.Open(segment, field.Number, PartKind.Ordinals, PartKind.OrdinalRows);
        if (!isText && ordinals.Exists && ordinals.Head.HasSeveral == 0)
        {
            for (int i = 0; i < entries.Length; i++)
            {
                if (ordinals.TryRead(entries[i], out long ordinal))
                {
                    cursor.MoveTo((int)ordinal);
                    found[i].Add(new EntryTerm(field.Name, Encoding.UTF8.GetString(cursor.Span)));
                }
            }

            return;
        }

        int* wanted = segment.Scratch.Take<int>(entries.Length);
        while (cursor.MoveNext())
        {
            cancellation.ThrowIfCancellationRequested();
            entries.CopyTo(new Span<int>(wanted, entries.Length));
            int count = PostingsFilter.Filter(dictionary, cursor.Entries, wanted, entries.Length);
            for (int i = 0; i < count; i++)
            {
                found[entries.BinarySearch(wanted[i])].Add(new EntryTerm(field.Name, Encoding.UTF8.GetString(cursor.Span)));
            }
        }
    }
}
