using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents;

namespace Jackdaw.Server.Http.Answers;

/// <summary>The text of the header Server-Timing, which says where the time of the request went. It is always sent.</summary>
internal static class ServerTiming
{
    /// <summary>Reads of up to this many microseconds share prepared texts. Most reads are that fast, and a read should not allocate for its header.</summary>
    private const int PreparedUsMax = 5000;

    private static readonly string?[] s_reads = new string?[PreparedUsMax];

    public static string ForRead(long startTimestamp)
    {
        long us = ElapsedUs(startTimestamp);
        return us < PreparedUsMax ? s_reads[us] ??= Total(us) : Total(us);
    }

    public static string ForWrite(long startTimestamp, in WriteCost cost)
    {
        var text = new TimingText(stackalloc char[TimingText.CharactersMax]);
        text.Append("total;dur=");
        text.AppendMilliseconds(ElapsedUs(startTimestamp));
        text.Append(", queue;dur=");
        text.AppendMilliseconds(cost.QueueWaitUs);
        text.Append(", journal;dur=");
        text.AppendMilliseconds(cost.JournalUs);
        text.Append(", batch;desc=\"");
        text.Append(cost.MergedCommands);
        text.Append("\"");
        return text.ToString();
    }

    /// <summary>The part of the text that follows one of the others when a request waited for indexes.</summary>
    /// <param name="wait">The time that the request waited for indexes.</param>
    public static string ForIndexWait(TimeSpan wait) =>
        string.Create(CultureInfo.InvariantCulture, $", index;dur={wait.TotalMilliseconds:F3}");

    private static long ElapsedUs(long startTimestamp) => (long)Stopwatch.GetElapsedTime(startTimestamp).TotalMicroseconds;

    private static string Total(long us)
    {
        var text = new TimingText(stackalloc char[TimingText.CharactersMax]);
        text.Append("total;dur=");
        text.AppendMilliseconds(us);
        return text.ToString();
    }

    /// <summary>The header's text on the stack: formatting by the base library's interpolation costs a microsecond per
    /// request.</summary>
    private ref struct TimingText(Span<char> characters)
    {
        /// <summary>Four names and four numbers of up to 20 digits.</summary>
        public const int CharactersMax = 160;

        private readonly Span<char> _characters = characters;
        private int _length;

        public void Append(string text)
        {
            text.CopyTo(_characters[_length..]);
            _length += text.Length;
        }

        public void Append(long number)
        {
            number.TryFormat(_characters[_length..], out int written, provider: CultureInfo.InvariantCulture);
            _length += written;
        }

        public void AppendMilliseconds(long us)
        {
            Append(us / 1000);
            int rest = (int)(us % 1000);
            _characters[_length++] = '.';
            _characters[_length++] = (char)('0' + (rest / 100));
            _characters[_length++] = (char)('0' + (rest / 10 % 10));
            _characters[_length++] = (char)('0' + (rest % 10));
        }

        public override readonly string ToString() => new(_characters[.._length]);
    }
}
