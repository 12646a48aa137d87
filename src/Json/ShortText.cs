namespace Jackdaw.Json;

/// <summary>Texts of any length where there is little room.</summary>
public static class ShortText
{
    /// <summary>The text, or its beginning with an ellipsis.</summary>
    /// <param name="most">The most characters of the text.</param>
    public static string Of(string text, int most) => text.Length <= most ? text : $"{text.AsSpan(0, most)}…";
}
