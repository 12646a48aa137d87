using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Finds symbols for the terms of dictionaries that become one, by blocks from all places of each.</summary>
/// <param name="prefix">The bytes with which all terms begin.</param>
internal readonly unsafe ref struct TermSample(MergeSources sources, SymbolTraining symbols, int prefix)
{
    private const int BlocksOfSource = 4;

    /// <returns>False when symbols are not worth their table.</returns>
    /// <param name="cursors">Of the dictionaries that exist; they are somewhere afterwards.</param>
    public bool FindSymbols(DictionaryView[] dictionaries, DictionaryCursor[] cursors, int termBytesMin)
    {
        symbols.Clear();
        long terms = 0;
        for (int i = 0; i < dictionaries.Length; i++)
        {
            terms += dictionaries[i].Exists ? dictionaries[i].Count : 0;
            for (int k = 0; k < BlocksOfSource && dictionaries[i].Exists && !symbols.IsFull; k++)
            {
                AddBlock(ref cursors[i], (int)((long)dictionaries[i].Blocks * k / BlocksOfSource) * DictionaryWriter.BlockTerms);
            }
        }

        return symbols.Run(terms, termBytesMin);
    }

    private void AddBlock(ref DictionaryCursor cursor, int first)
    {
        Arena.Mark mark = sources.Scratch.Now();
        byte* before = sources.Scratch.Take<byte>(Term.BytesMax + DictionaryWriter.SharedMax);
        cursor.MoveTo(first);
        for (int i = 1; i < DictionaryWriter.BlockTerms; i++)
        {
            int length = cursor.Length;
            cursor.Span.CopyTo(new Span<byte>(before, length));
            if (!cursor.MoveNext())
            {
                break;
            }

            int shared = Math.Max(prefix, Term.CommonLength(before, length, cursor.Text, cursor.Length));
            symbols.Add(cursor.Text + shared, cursor.Length - shared);
        }

        sources.Scratch.Return(mark);
    }
}
