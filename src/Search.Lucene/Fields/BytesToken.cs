using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;
using Lucene.Net.Util;
using Attribute = Lucene.Net.Util.Attribute;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>One term, given as bytes: of a text Lucene would make them itself, for each entry anew.</summary>
internal sealed class BytesToken : TokenStream
{
    private bool _isTaken;

    /// <param name="bytes">Of the term. Who owns them changes them between two entries.</param>
    public BytesToken(BytesRef bytes) => AddAttributeImpl(new BytesAttribute(bytes));

    public override void Reset()
    {
        base.Reset();
        _isTaken = false;
    }

    public override bool IncrementToken()
    {
        bool isFirst = !_isTaken;
        _isTaken = true;
        ClearAttributes(); // its position too, which End has changed
        return isFirst;
    }

    private sealed class BytesAttribute(BytesRef bytes) : Attribute, ITermToBytesRefAttribute
    {
        public BytesRef BytesRef => bytes;

        public void FillBytesRef()
        {
            // They are there.
        }

        public override void Clear()
        {
            // They stay: each entry has one term.
        }

        public override void CopyTo(IAttribute target) => throw new NotSupportedException();
    }
}
