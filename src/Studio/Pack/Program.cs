// Makes the resources of the Studio: Studio.Pack SITE OUTPUT. Prints what is wrong as an error of the build.
using Jackdaw.Studio.Pack;

if (args.Length != 2)
{
    Console.Error.WriteLine("usage: Studio.Pack SITE OUTPUT (folders)");
    return 2;
}

try
{
    PackedSite.Write(Site.Read(args[0]), args[1]);
    return 0;
}
catch (SiteException problem)
{
    Console.Error.WriteLine($"{problem.Path}(1): error STUDIO1: {problem.Message}");
    return 1;
}
