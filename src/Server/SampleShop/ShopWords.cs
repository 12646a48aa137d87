namespace Jackdaw.Server.SampleShop;

/// <summary>The words from which the names and texts of the sample shop are made. They were written for this project.</summary>
internal static class ShopWords
{
    /// <summary>Name and description.</summary>
    public static IReadOnlyList<(string Name, string Description)> Categories { get; } =
    [
        ("Drinks", "Beers, lemonades, juices, coffees and teas"),
        ("Spices and Sauces", "Everything that makes a plain meal interesting"),
        ("Sweets", "Chocolate, marzipan, jams and small cakes"),
        ("Cheese and Milk", "Cheeses of cow, sheep and goat, butter and yoghurt"),
        ("Bread and Grain", "Loaves, crispbread, flour, rice and pasta"),
        ("Meat", "Ham, sausages, poultry and game"),
        ("Fruit and Vegetables", "Fresh, dried and pickled"),
        ("Fish", "From rivers, lakes and the sea; smoked or in tins"),
    ];

    /// <summary>Names by category, in the order of the categories.</summary>
    public static IReadOnlyList<string[]> Products { get; } =
    [
        Split("Copperfield Oat Stout,Larkspur Lemonade,Old Ferry Dark Roast,Mountain Birch Water,Quince and Honey Cider,Harbour Light Lager,"
            + "Rosehip Cordial,Smoked Barley Tea,Elderflower Fizz,Red Valley Grape Juice"),
        Split("Aunt Tilda's Mustard,Green Walnut Relish,Black Garlic Paste,Saffron Threads,Slow Tomato Sauce,Juniper Salt,Plum Chutney,"
            + "Wild Caper Sauce,Birch Syrup,Seven Pepper Mix"),
        Split("Almond Moons,Ginger Planks,Cloudberry Jam,Dark Chocolate Bricks,Honey Lanterns,Marzipan Acorns,Mill Nougat,Poppy Seed Rolls,"
            + "Salted Caramel Coins,Violet Drops"),
        Split("Alder Smoked Cheese,Blue Shepherd,Cave Aged Wheel,Goat Buttons,Island Butter,Meadow Yoghurt,Nettle Gouda,Hill Ricotta,"
            + "Stone Pasture Cheddar,Whey and Honey Spread"),
        Split("Buckwheat Flakes,Crisp Rye Rounds,Emmer Spaghetti,Hearth Loaf,Millet Puffs,Oat Bannocks,Golden Polenta,Red Rice,Sourdough Crumbs,"
            + "Spelt Flour"),
        Split("Air Dried Beef,Beech Ham,Country Duck Confit,Fennel Salami,Heather Lamb,Hunter's Sausage,Pheasant Terrine,Smoked Turkey Breast,"
            + "Venison Jerky"),
        Split("Baby Beets,Dried Apricots,Forest Mushrooms,Golden Pears,Kale Crisps,Pickled Cabbage,Sun Plums,Sweet Chestnuts,White Asparagus"),
        Split("Arctic Char Fillet,Baltic Sprats,Cockles in Brine,Fjord Salmon,Mackerel in Mustard,Oak Smoked Eel,Pilchards in Oil,River Trout,"
            + "Seaweed Herring"),
    ];

    public static IReadOnlyList<string> Quantities { get; } =
        Split("12 bottles of 500 ml,24 cans of 330 ml,10 boxes of 20 bags,6 jars of 250 g,20 packs of 1 kg,48 pieces,16 tins of 200 g,5 kg box");

    public static IReadOnlyList<string> FirstNames { get; } =
        Split("Ada,Bruno,Clara,Dimitri,Elena,Farid,Greta,Hassan,Ines,Jonas,Karin,Liam,Mira,Nadia,Oskar,Priya,Quentin,Rosa,Samir,Tilda,Ulrich,"
            + "Vera,Wanda,Xavier,Yuki,Zoe,Anselm,Bianca,Cyril,Dora,Emil,Flora,Gustav,Hedda,Ivo,Jana,Kofi");

    public static IReadOnlyList<string> LastNames { get; } =
        Split("Aldermann,Birkeland,Castellan,Dorsey,Eklund,Fairweather,Grantley,Holloway,Iversen,Jurgens,Kestrel,Lindqvist,Marchetti,Nakagawa,"
            + "Oakley,Pemberton,Quigley,Rosenthal,Sandoval,Thorne,Underhill,Vasquez,Whitlock,Xander,Yarrow,Zeller,Ashby,Bellamy,Coppens,Drummond,"
            + "Estrada,Fontaine,Gallagher,Haldane,Ingram,Jessop,Kowalczyk,Larkin,Morello,Novotny,Okafor");

    /// <summary>First words of the names of companies; no two begin with the same three letters.</summary>
    public static IReadOnlyList<string> CompanyNames { get; } =
        Split("Amber,Brightwater,Cinnamon,Dovetail,Evergreen,Foxglove,Granary,Harvest,Ivory,Juniper,Kingfisher,Lantern,Marigold,Nightingale,Orchard,"
            + "Pepper,Quayside,Riverbank,Saffron,Thistle,Umber,Velvet,Willow,Yellowstone,Zephyr,Bluebell,Copper,Driftwood,Emberly,Fernhill,Golden");

    public static IReadOnlyList<string> CompanyKinds { get; } =
        Split("Delicatessen,Market,Bistro,Grocers,Kitchen,Traders,Pantry,Hotel");

    public static IReadOnlyList<string> SupplierKinds { get; } = Split("& Daughters,Farms,Mills,Cooperative,Brewery,Fisheries,Imports");

    public static IReadOnlyList<string> Shippers { get; } = ["Blue Anchor Freight", "Heron Express", "Brothers' Parcels"];

    public static IReadOnlyList<string> ContactTitles { get; } =
        Split("Owner,Sales Manager,Buyer,Order Administrator,Marketing Manager,Accounting Manager");

    public static IReadOnlyList<string> Streets { get; } =
        Split("Mill Lane,Harbour Street,Chestnut Avenue,Old Market,Station Road,Garden Row,Church Hill,Bridge Street,Linden Walk,Canal Side");

    /// <summary>What the notes about employees say; {0} is a first name.</summary>
    public static IReadOnlyList<string> Notes { get; } =
    [
        "{0} studied languages, and speaks to most suppliers in their own.",
        "Before joining the shop, {0} ran a small bakery for six years.",
        "{0} knows the prices of all cheeses by heart.",
        "Customers ask for {0} when a delivery is late.",
        "{0} plays the accordion at the summer party.",
        "{0} has reorganised the cold store twice, the second time for good.",
        "On Fridays {0} teaches new colleagues how to read a bill of freight.",
        "{0} collects old labels of bottles.",
    ];

    /// <summary>First parts of the names of territories.</summary>
    public static IReadOnlyList<string> TerritoryNames { get; } =
        Split("Ash,Birch,Clay,Dun,Elm,Fern,Glen,Hazel,Kirk,Long,Marsh,North,Oak");

    /// <summary>Name of a region, and the last part of the names of its territories.</summary>
    public static IReadOnlyList<(string Name, string Ending)> Regions { get; } =
        [("Eastern", "ford"), ("Western", "ham"), ("Northern", "bury"), ("Southern", "wick")];

    private static string[] Split(string names) => names.Split(',');
}
