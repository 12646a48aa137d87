using System.Runtime.Versioning;

// Signals, /proc and file modes: the server runs on Linux only.
[assembly: SupportedOSPlatform("linux")]
