Console.WriteLine("Jackdaw");
