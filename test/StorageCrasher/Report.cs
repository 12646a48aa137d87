using System.Text;

namespace Jackdaw.StorageCrasher;

/// <summary>Lines to the parent process. Each is one write to the pipe, which the kernel keeps whatever happens to the
/// process: a reported record was acknowledged before the kill.</summary>
internal static class Report
{
    private static readonly SemaphoreSlim s_turn = new(1);

    public static async Task WriteAsync(Stream output, string line)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(line + "\n");
        await s_turn.WaitAsync().ConfigureAwait(false);
        try
        {
            await output.WriteAsync(bytes).ConfigureAwait(false);
            await output.FlushAsync().ConfigureAwait(false);
        }
        finally
        {
            s_turn.Release();
        }
    }
}
