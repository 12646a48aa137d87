using System.Globalization;
using System.Text;

namespace Jackdaw.Server.Diagnostics;

/// <summary>One time series: a number, or the buckets of a histogram. Written by any thread without a lock.</summary>
/// <param name="labels">The text between the braces.</param>
internal sealed class SeriesValue(string labels)
{
    /// <summary>Upper bounds in seconds: a cached read takes tens of microseconds, a durable write some milliseconds, a
    /// long stream seconds.</summary>
    private static readonly double[] s_bounds = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

    private readonly long[] _buckets = new long[s_bounds.Length + 1];
    private double _value;
    private bool _wasTouched;

    /// <summary>The database whose figures it has; null when it has those of the server.</summary>
    public string? Database { get; init; }

    public bool WasTouched => Volatile.Read(ref _wasTouched);

    public double Value => Volatile.Read(ref _value);

    public string Braces() => labels.Length == 0 ? "" : $"{{{labels}}}";

    public void Set(double value)
    {
        Volatile.Write(ref _value, value);
        Volatile.Write(ref _wasTouched, true);
    }

    public void Add(double value)
    {
        double seen = Volatile.Read(ref _value);
        while (true)
        {
            double before = Interlocked.CompareExchange(ref _value, seen + value, seen);
            if (before.Equals(seen))
            {
                break;
            }

            seen = before;
        }

        Volatile.Write(ref _wasTouched, true);
    }

    public void Observe(double value)
    {
        int bucket = Array.BinarySearch(s_bounds, value);
        Interlocked.Increment(ref _buckets[bucket < 0 ? ~bucket : bucket]);
        Add(value);
    }

    public void WriteHistogram(StringBuilder text, string name)
    {
        long count = 0;
        string separator = labels.Length == 0 ? "" : ",";
        for (int i = 0; i < _buckets.Length; i++)
        {
            count += Volatile.Read(ref _buckets[i]);
            string bound = i < s_bounds.Length ? s_bounds[i].ToString(CultureInfo.InvariantCulture) : "+Inf";
            text.Append(CultureInfo.InvariantCulture, $"{name}_bucket{{{labels}{separator}le=\"{bound}\"}} {count}\n");
        }

        text.Append(CultureInfo.InvariantCulture, $"{name}_sum{Braces()} {Value}\n{name}_count{Braces()} {count}\n");
    }
}
