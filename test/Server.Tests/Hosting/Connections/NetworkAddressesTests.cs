using System.Net;
using Jackdaw.Server.Hosting.Connections;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public class NetworkAddressesTests
{
    /// <summary>The first and the last address of each range.</summary>
    [Theory]
    [InlineData("127.0.0.0", "127.255.255.255")]
    [InlineData("10.0.0.0", "10.255.255.255")]
    [InlineData("172.16.0.0", "172.31.255.255")]
    [InlineData("192.168.0.0", "192.168.255.255")]
    [InlineData("169.254.0.0", "169.254.255.255")]
    [InlineData("::1", "::1")]
    [InlineData("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
    [InlineData("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
    [InlineData("fe80::1%3", "fe80::1%4")]
    [InlineData("::ffff:10.0.0.1", "::ffff:192.168.1.1")]
    public void IsPrivate_EndsOfAPrivateRange_AreInIt(string first, string last)
    {
        Assert.True(NetworkAddresses.IsPrivate(IPAddress.Parse(first)));
        Assert.True(NetworkAddresses.IsPrivate(IPAddress.Parse(last)));
    }

    /// <summary>The addresses beside each range.</summary>
    [Theory]
    [InlineData("126.255.255.255", "128.0.0.0")]
    [InlineData("9.255.255.255", "11.0.0.0")]
    [InlineData("172.15.255.255", "172.32.0.0")]
    [InlineData("192.167.255.255", "192.169.0.0")]
    [InlineData("169.253.255.255", "169.255.0.0")]
    [InlineData("::", "::2")]
    [InlineData("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::")]
    [InlineData("fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::")]
    [InlineData("100.64.0.1", "100.127.255.255")]
    [InlineData("0.0.0.0", "255.255.255.255")]
    [InlineData("8.8.8.8", "2001:4860:4860::8888")]
    [InlineData("::ffff:8.8.8.8", "64:ff9b::a00:1")]
    [InlineData("::10.0.0.1", "2002:a00:1::")]
    [InlineData("224.0.0.1", "ff02::1")]
    public void IsPrivate_AddressesBesideTheRanges_AreNot(string before, string behind)
    {
        Assert.False(NetworkAddresses.IsPrivate(IPAddress.Parse(before)));
        Assert.False(NetworkAddresses.IsPrivate(IPAddress.Parse(behind)));
    }

    [Theory]
    [InlineData("10.1.2.3", "10.1.2.3")]
    [InlineData("::ffff:10.1.2.3", "10.1.2.3")]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
    [InlineData("fe80::1%3", "fe80::")]
    public void ToSender_EachKind_IsWhatOneCustomerHas(string address, string sender) =>
        Assert.Equal(IPAddress.Parse(sender), NetworkAddresses.ToSender(IPAddress.Parse(address)));
}
