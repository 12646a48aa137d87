using System.Net;
using System.Net.Sockets;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Kinds of addresses.</summary>
internal static class NetworkAddresses
{
    private const int PrefixBytes = 8;

    private static readonly IPNetwork[] s_private =
    [
        IPNetwork.Parse("127.0.0.0/8"), // this machine
        IPNetwork.Parse("10.0.0.0/8"),
        IPNetwork.Parse("172.16.0.0/12"),
        IPNetwork.Parse("192.168.0.0/16"),
        IPNetwork.Parse("169.254.0.0/16"), // one link
        IPNetwork.Parse("::1/128"), // this machine
        IPNetwork.Parse("fc00::/7"), // unique local
        IPNetwork.Parse("fe80::/10"), // one link
    ];

    /// <summary>Whether an address belongs to a private network, so that nobody on the Internet can have it.</summary>
    /// <remarks>100.64.0.0/10 is not private: all customers of a provider share it.</remarks>
    public static bool IsPrivate(IPAddress address)
    {
        IPAddress plain = Unmap(address);
        foreach (IPNetwork network in s_private)
        {
            if (network.BaseAddress.AddressFamily == plain.AddressFamily && network.Contains(plain))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The part of an address that one sender cannot choose freely: of IPv6 the first 64 bits, because each customer gets all the rest.</summary>
    public static IPAddress ToSender(IPAddress address)
    {
        IPAddress plain = Unmap(address);
        if (plain.AddressFamily != AddressFamily.InterNetworkV6)
        {
            return plain;
        }

        byte[] bytes = plain.GetAddressBytes();
        bytes.AsSpan(PrefixBytes).Clear();
        return new IPAddress(bytes);
    }

    private static IPAddress Unmap(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
}
