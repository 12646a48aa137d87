using System.Net;
using System.Net.NetworkInformation;

namespace Jackdaw.Security.Keys;

/// <summary>The names and addresses under which clients may reach the server: those that its certificate must have.</summary>
internal static class ServerNames
{
    /// <summary>Collects them: the machine's name, localhost, all addresses of its interfaces, and what the configuration names.</summary>
    /// <param name="configured">Host names and addresses; <c>*</c> and empty ones are left out.</param>
    /// <returns>The machine's name first, then in a fixed order, each once.</returns>
    public static IReadOnlyList<string> Find(IEnumerable<string> configured) => Combine(Environment.MachineName, ListAddresses(), configured);

    internal static IReadOnlyList<string> Combine(string machine, IEnumerable<IPAddress> addresses, IEnumerable<string> configured)
    {
        // A name that no certificate can have would make every start fail.
        string first = Uri.CheckHostName(machine) == UriHostNameType.Dns && machine.All(char.IsAscii) ? machine.ToLowerInvariant() : "localhost";
        IEnumerable<string> named = configured
            .Where(name => name.Length > 0 && name != "*" && !IsAny(name))
            .Select(name => IPAddress.TryParse(name, out IPAddress? address) ? ToText(address) : name.ToLowerInvariant());
        IEnumerable<string> reached = addresses.Select(ToText).Order(StringComparer.Ordinal);
        return [.. new[] { first, "localhost" }.Concat(named).Append("127.0.0.1").Append("::1").Concat(reached).Distinct(StringComparer.Ordinal)];
    }

    private static bool IsAny(string name) =>
        IPAddress.TryParse(name, out IPAddress? address) && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));

    // The number of an interface behind '%' means nothing to other machines.
    private static string ToText(IPAddress address)
    {
        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return new IPAddress(plain.GetAddressBytes()).ToString();
    }

    private static IEnumerable<IPAddress> ListAddresses()
    {
        try
        {
            return NetworkInterface.GetAllNetworkInterfaces()
                .Where(one => one.OperationalStatus != OperationalStatus.Down)
                .SelectMany(one => one.GetIPProperties().UnicastAddresses)
                .Select(one => one.Address);
        }
        catch (NetworkInformationException)
        {
            return []; // a system that does not tell; the configuration can name them
        }
    }
}
