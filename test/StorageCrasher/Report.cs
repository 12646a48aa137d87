using System.Text;

namespace Jackdaw.StorageCrasher;

/// <summary>Lines to the parent process. Each is one write to the pipe, which the kernel keeps whatever happens to the
/// process: a reported record was acknowledged before the kill. Any thread.</summary>
internal sealed class Report : IDisposable
{
    private readonly Lock _lock = new(); // one line at a time
    private readonly Stream _output = Console.OpenStandardOutput();

    public void Write(string line)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(line + "\n");
        lock (_lock)
        {
            _output.Write(bytes);
        }
    }

    /// <summary>A record of a writer is acknowledged.</summary>
    public void Acknowledge(int writer, long number, long transaction) => Write($"{writer} {number} {transaction}");

    /// <inheritdoc/>
    public void Dispose() => _output.Dispose();
}
