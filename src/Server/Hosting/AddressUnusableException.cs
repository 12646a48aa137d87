using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Hosting;

/// <summary>The server cannot listen on the configured address: the host is unknown, the port is in use, or it is not allowed.</summary>
internal sealed class AddressUnusableException(ListenAddress address, Exception cause)
    : Exception($"ServerUrl = '{address}' cannot be listened on: {cause.Message.TrimEnd('.')}. Give another address or port.", cause);
