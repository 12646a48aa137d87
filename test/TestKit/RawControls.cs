using System.Text;

namespace Jackdaw.TestKit;

/// <summary>The one documented difference to other parsers: raw control characters in strings are taken as their escapes.</summary>
public static class RawControls
{
    public static byte[] Escape(byte[] json)
    {
        var bytes = new List<byte>(json.Length);
        bool isInString = false;
        bool isEscaped = false;
        foreach (byte value in json)
        {
            if (isInString && !isEscaped && value < 0x20)
            {
                bytes.AddRange(Encoding.ASCII.GetBytes($"\\u{value:x4}"));
                continue;
            }

            bytes.Add(value);
            isInString = value == '"' && !isEscaped ? !isInString : isInString;
            isEscaped = isInString && value == '\\' && !isEscaped;
        }

        return [.. bytes];
    }
}
