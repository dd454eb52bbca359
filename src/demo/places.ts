export type City = { name: string; timezone: string; phone: string }
export type Region = {
  cities: City[]
  firstNames: string[]
  lastNames: string[]
  /** A company is a root and a trade: `Harrow Lift Services`. */
  roots: string[]
  trades: string[]
}

/** Every phone range here is one that the country's regulator keeps free for film and fiction: nobody is rung up. */
export const regions: readonly Region[] = [
  {
    cities: [
      { name: 'London', timezone: 'Europe/London', phone: '+442079460xxx' },
      { name: 'Manchester', timezone: 'Europe/London', phone: '+441614960xxx' },
      { name: 'Edinburgh', timezone: 'Europe/London', phone: '+441314960xxx' },
      { name: 'Bristol', timezone: 'Europe/London', phone: '+441174960xxx' },
    ],
    firstNames: words(
      'Alice Hamish Niamh Oliver Zara Callum Imogen Rhys Farah Duncan Beth Kwame Lucy Gareth Sunita Ewan',
    ),
    lastNames: words(
      'Ashworth Barlow Chaudhry Drummond Ellery Fraser Goodwin Hartley Iqbal Kerr Mensah Naylor Penrose Rafferty Sutcliffe Whitlock',
    ),
    roots: words(
      'Harrow Pennine Lowther Marlow Thornbury Caldera Wexcombe Ridgeway Silverdale Kestrel Oakhampton Ferriby',
    ),
    trades: list('Lift Services, Heating, Facilities Group, Fire & Security, Refrigeration, Property Care'),
  },
  {
    cities: [
      { name: 'Stockholm', timezone: 'Europe/Stockholm', phone: '+468465004xx' },
      { name: 'Gothenburg', timezone: 'Europe/Stockholm', phone: '+463139006xx' },
      { name: 'Malmö', timezone: 'Europe/Stockholm', phone: '+464062804xx' },
    ],
    firstNames: words(
      'Astrid Björn Elin Fredrik Gunilla Hampus Ida Johan Karin Linus Märta Nils Saga Tobias Ulrika Viktor',
    ),
    lastNames: words(
      'Andersson Bergström Dahlgren Ekman Forsberg Hedlund Isaksson Kjellberg Lundin Nyström Palm Rosén Sandberg Tornqvist Wallin Åkesson',
    ),
    roots: words(
      'Norrsken Skärgård Björkviken Älvstad Granit Lövhaga Stenhamra Västervik Hällby Furusund Sjötorp Ekbacken',
    ),
    trades: list('Kyl & Värme, Hissteknik, Fastighet, Solenergi, Ventilation, VVS'),
  },
  {
    cities: [
      { name: 'Berlin', timezone: 'Europe/Berlin', phone: '+493023125xxx' },
      { name: 'Hamburg', timezone: 'Europe/Berlin', phone: '+494066969xxx' },
      { name: 'Munich', timezone: 'Europe/Berlin', phone: '+498999998xxx' },
      { name: 'Frankfurt', timezone: 'Europe/Berlin', phone: '+496990009xxx' },
      { name: 'Cologne', timezone: 'Europe/Berlin', phone: '+492214710xxx' },
    ],
    firstNames: words(
      'Anke Bernd Carla Dilan Erik Friederike Gregor Hanna Ilse Jan Katrin Levent Miriam Norbert Petra Sven',
    ),
    lastNames: words(
      'Albrecht Brandt Çelik Dietrich Engelhardt Fuchs Großmann Hoffmann Jäger Krüger Lorenz Möller Neumann Paulsen Reuter Schönfeld',
    ),
    roots: words(
      'Elbtal Havelland Isarblick Nordkante Rheinwerk Steinbach Taunus Weidenhof Alsterfeld Kranich Mühlental Spreebogen',
    ),
    trades: list('Gebäudetechnik, Aufzüge, Kältetechnik, Haustechnik, Solar, Brandschutz'),
  },
  {
    cities: [
      { name: 'New York', timezone: 'America/New_York', phone: '+121255501xx' },
      { name: 'Chicago', timezone: 'America/Chicago', phone: '+131255501xx' },
      { name: 'Denver', timezone: 'America/Denver', phone: '+130355501xx' },
      { name: 'Austin', timezone: 'America/Chicago', phone: '+151255501xx' },
      { name: 'Seattle', timezone: 'America/Los_Angeles', phone: '+120655501xx' },
    ],
    firstNames: words(
      'Amara Brett Camila Darnell Erin Frank Gloria Hector Janelle Kyle Luz Marcus Noelle Omar Rachel Scott',
    ),
    lastNames: words(
      'Alvarez Brooks Calloway Delgado Eastman Fitzgerald Guerrero Holloway Jefferson Kowalski Langston Morales Nakamura Prescott Ramsey Stokes',
    ),
    roots: words(
      'Cedarridge Lakeshore Ironwood Summit Prairie Bluebonnet Stillwater Rainier Hudson Copperline Redstone Meadowlark',
    ),
    trades: list('HVAC, Elevator, Plumbing, Solar, Fire Protection, Facility Services'),
  },
  {
    cities: [
      { name: 'Paris', timezone: 'Europe/Paris', phone: '+3319900xxxx' },
      { name: 'Lyon', timezone: 'Europe/Paris', phone: '+3346571xxxx' },
      { name: 'Toulouse', timezone: 'Europe/Paris', phone: '+3353649xxxx' },
      { name: 'Lille', timezone: 'Europe/Paris', phone: '+3335301xxxx' },
    ],
    firstNames: words(
      'Amélie Bastien Chloé Damien Élodie Fabrice Inès Julien Karim Léa Mathilde Noé Pauline Rémi Solène Yanis',
    ),
    lastNames: words(
      'Aubert Benali Carpentier Delacroix Fontaine Garnier Hamidi Jourdain Lefèvre Marchand Noël Perrin Roussel Savary Thibault Vasseur',
    ),
    roots: words(
      'Valmont Clairbois Rochefontaine Beaulieu Montclar Verdier Tournesol Hautpré Aubinière Bellerive Grandval Lavande',
    ),
    trades: list('Ascenseurs, Climatisation, Chauffage, Énergies, Sécurité, Multiservices'),
  },
  {
    cities: [
      { name: 'Sydney', timezone: 'Australia/Sydney', phone: '+6125550xxxx' },
      { name: 'Melbourne', timezone: 'Australia/Melbourne', phone: '+6135550xxxx' },
    ],
    firstNames: words(
      'Bronte Cooper Darcy Ella Finn Georgia Hugh Indira Jarrah Kirra Lachlan Matilda Ngaire Phoebe Riley Tuan',
    ),
    lastNames: words(
      'Abbott Bui Costello Doyle Everett Flanagan Greenway Hanley Jamieson Kapoor Lawson Murphy Nguyen Papas Quigley Tran',
    ),
    roots: words(
      'Banksia Wattle Coolabah Harbourline Kookaburra Jindabyne Wollemi Redgum Bellbird Tallawong Ironbark Yarra',
    ),
    trades: list('Air & Electrical, Lifts, Solar, Plumbing, Maintenance, Fire Services'),
  },
]

function words(text: string): string[] {
  return text.split(' ')
}

function list(text: string): string[] {
  return text.split(', ')
}
