namespace Jackdaw.Security.Tests.Auditing;

/// <summary>Appends to a file as long as a rule lets it; otherwise half of what is written reaches the file.</summary>
internal sealed class FailingStream(string path, Func<IOException?> failure)
    : FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete)
{
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (failure() is { } thrown)
        {
            base.Write(buffer[..(buffer.Length / 2)]);
            Flush();
            throw thrown;
        }

        base.Write(buffer);
    }
}
