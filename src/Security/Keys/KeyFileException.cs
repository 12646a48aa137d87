namespace Jackdaw.Security.Keys;

/// <summary>A file of keys or certificates cannot be used: it is damaged, missing, or others may read it. The message names it and says what to do.</summary>
internal sealed class KeyFileException : Exception
{
    public KeyFileException(string message)
        : base(message)
    {
    }

    public KeyFileException(string message, Exception cause)
        : base(message, cause)
    {
    }
}
