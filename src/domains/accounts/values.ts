export const accountSorts = ['name', 'created_at', 'updated_at'] as const

/** Anybody may have a mailbox or a page there: such a domain says nothing about a company. */
export const sharedDomains: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk live.com msn.com yahoo.com yahoo.co.uk yahoo.de
  yahoo.fr ymail.com icloud.com me.com mac.com aol.com gmx.com gmx.de gmx.net web.de t-online.de freenet.de mail.com
  mail.ru yandex.ru yandex.com proton.me protonmail.com pm.me zoho.com fastmail.com hey.com tutanota.com tuta.io
  qq.com 163.com 126.com sina.com naver.com hanmail.net orange.fr wanadoo.fr free.fr laposte.net libero.it
  virgilio.it comcast.net verizon.net att.net sbcglobal.net btinternet.com rediffmail.com uol.com.br bol.com.br
  linkedin.com facebook.com instagram.com twitter.com x.com github.com`.split(/\s+/),
)
