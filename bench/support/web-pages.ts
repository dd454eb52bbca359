import { firstNames, lastNames } from './leads.ts'

const words =
  `we help teams build better products with less effort since our customers trust us for quality service and honest
  advice in every project from first idea to final delivery across industry trade and public sector`.split(
    /\s+/,
  )

/** Pages as companies have them: a head full of meta elements, menus, cards, a long text, people, a footer, scripts. */
export function companyPages(count: number): string[] {
  return Array.from({ length: count }, (_, number) => page(number))
}

function page(number: number): string {
  const company = `${lastNames[(number * 7) % lastNames.length]} ${['GmbH', 'Inc.', 'Ltd', 'SA'][number % 4]}`
  const domain = `${company.toLowerCase().replace(/[^a-z]+/g, '')}${number}.com`
  const sections = 6 + (number % 5) * 4
  return `<!doctype html>
<html lang="${['en', 'de-DE', 'fr'][number % 3]}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${company} | ${sentence(number, 4)}</title>
<meta name="description" content="${sentence(number, 18)}">
<meta name="keywords" content="${words.slice(number % 20, (number % 20) + 6).join(', ')}">
<meta name="generator" content="WordPress 6.${number % 9}">
${['title', 'type', 'image', 'url', 'site_name', 'locale'].map(name => `<meta property="og:${name}" content="${sentence(number, 3)}">`).join('\n')}
${Array.from({ length: 14 }, (_, n) => `<link rel="stylesheet" href="/wp-content/plugins/plugin-${n}/style.min.css?ver=${number}">`).join('\n')}
<link rel="alternate" type="application/rss+xml" title="Feed" href="https://${domain}/feed/">
<style>${`.c-${number}{display:flex;margin:0 auto;padding:1rem 2rem;color:#123456}`.repeat(120)}</style>
<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        name: company,
        url: `https://${domain}/`,
        email: `info@${domain}`,
        telephone: '+49 30 1234567',
        address: {
          '@type': 'PostalAddress',
          streetAddress: 'Main Street 1',
          postalCode: '12345',
          addressLocality: 'Springfield',
        },
        sameAs: [`https://www.linkedin.com/company/${domain}`, `https://twitter.com/${domain.slice(0, 12)}`],
      },
      {
        '@type': 'WebSite',
        name: company,
        potentialAction: { '@type': 'SearchAction', target: `https://${domain}/?s={q}` },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: words.slice(0, 8).map((name, n) => ({ '@type': 'ListItem', position: n, name })),
      },
    ],
  })}</script>
<script>${'window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)};'.repeat(40)}</script>
</head>
<body class="home page-template">
<header><nav><ul>${['about', 'team', 'services', 'blog', 'jobs', 'contact', 'imprint']
    .map(
      name =>
        `<li class="menu-item menu-item-${name}"><a href="https://${domain}/${name}/"><span>${name}</span></a><ul>${words
          .slice(0, 8)
          .map(word => `<li><a href="/${name}/${word}">${word}</a></li>`)
          .join('')}</ul></li>`,
    )
    .join('')}</ul></nav></header>
<main>
${Array.from({ length: sections }, (_, n) => section(number + n, n)).join('\n')}
<section class="team">${firstNames
    .slice(0, 12)
    .map(
      (first, n) =>
        `<div class="card"><img src="/wp-content/uploads/p-${n}@2x.jpg" alt=""><h3>${first} ${lastNames[n % lastNames.length]}</h3><p class="role">Head of ${words[n % words.length]}</p></div>`,
    )
    .join('')}</section>
</main>
<footer><div class="cols"><address>${company}<br>Main Street ${number}<br>12345 Springfield<br>Tel: +49 30 ${1_000_000 + number}<br>
<a href="mailto:info@${domain}">info@${domain}</a></address><p>Write to sales [at] ${domain}</p>
${['https://www.facebook.com/acme', 'https://www.instagram.com/acme', 'https://www.youtube.com/@acme'].map(href => `<a href="${href}" rel="noopener"><svg viewBox="0 0 24 24"><path d="M24 12.073c0-6.627-5.373-12-12-12s-12 5.373-12 12"/></svg></a>`).join('')}
</div></footer>
${Array.from({ length: 10 }, (_, n) => `<script src="/wp-content/plugins/plugin-${n}/script.min.js" defer></script>`).join('\n')}
</body></html>`
}

function section(seed: number, n: number): string {
  const cards = Array.from(
    { length: 3 + (seed % 4) },
    (
      _,
      at,
    ) => `<div class="col-md-4 card"><div class="card-body"><h4 class="card-title">${sentence(seed + at, 4)}</h4>
<p>${sentence(seed + at, 30)} <strong>${sentence(at, 3)}</strong> ${sentence(seed, 12)} <a class="btn btn-link" href="/services/${n}-${at}">${sentence(at, 2)}</a></p></div></div>`,
  )
  return `<section id="s-${n}" class="block block-${n % 5}"><div class="container"><h2>${sentence(seed, 6)}</h2>
<p class="lead">${sentence(seed, 40)} ${n % 3 === 0 ? 'Since 1999, for 2.500 customers in 12 countries.' : ''}</p><div class="row">${cards.join('')}</div>
<ul>${words
    .slice(0, 6)
    .map(word => `<li><i class="icon icon-${word}"></i> ${word} ${sentence(seed, 5)}</li>`)
    .join('')}</ul></div></section>`
}

function sentence(seed: number, length: number): string {
  return Array.from({ length }, (_, n) => words[(seed * 31 + n * 7) % words.length]).join(' ')
}
