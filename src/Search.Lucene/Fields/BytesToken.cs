using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;
using Lucene.Net.Util;
using Attribute = Lucene.Net.Util.Attribute;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>One term, given as bytes. From a text, Lucene would make new bytes for each entry.</summary>
internal sealed class BytesToken : TokenStream
{
    private bool _isTaken;

    /// <param name="bytes">The bytes of the term. Their owner changes them between two entries.</param>
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
        ClearAttributes(); // resets its position too, which End has changed
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
            // The bytes stay, because each entry has one term.
        }

        public override void CopyTo(IAttribute target) => throw new NotSupportedException();
    }
}
