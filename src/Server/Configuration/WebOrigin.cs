namespace Jackdaw.Server.Configuration;

/// <summary>The origin of a page: what browsers compare to decide whether two pages belong together. In the header it is written without a path, such as
/// <c>https://app.example.com</c>.</summary>
/// <param name="Scheme">http or https.</param>
/// <param name="Host">In lower case; an address of IPv6 with its brackets.</param>
/// <param name="Port">Also where the text leaves out the port of the scheme.</param>
internal readonly record struct WebOrigin(string Scheme, string Host, int Port)
{
    /// <summary>Reads an origin.</summary>
    /// <returns>Null when the text is not the origin of a page of http or https, as <c>null</c> is not, which browsers send for pages without one.</returns>
    public static WebOrigin? TryParse(string text)
    {
        bool isOrigin = Uri.TryCreate(text, UriKind.Absolute, out Uri? uri)
            && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
            && uri is { PathAndQuery: "/", UserInfo.Length: 0, Fragment.Length: 0, Host.Length: > 0 };
        return isOrigin ? Of(uri!) : null;
    }

    /// <summary>The origin of the pages below an address.</summary>
    public static WebOrigin Of(Uri address) =>
        new(address.Scheme, address.HostNameType == UriHostNameType.IPv6 ? address.Host : address.IdnHost.ToLowerInvariant(), address.Port);

    public override string ToString() => new UriBuilder(Scheme, Host, Port).Uri.GetLeftPart(UriPartial.Authority);
}
