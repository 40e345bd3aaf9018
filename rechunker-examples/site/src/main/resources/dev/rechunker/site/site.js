// The search and the menu. The text of all pages is a script, which is loaded when it is needed: pages that are opened
// as files may not read other files.
'use strict';
(() => {
    const root = document.currentScript.dataset.root;
    const query = document.getElementById('query');
    const results = document.getElementById('results');
    const menu = document.getElementById('menu');
    const pages = document.getElementById('pages');
    const most = 15;
    let loading = false;
    let chosen = -1;
    document.documentElement.classList.add('js');

    function withIndex(then) {
        if (window.searchIndex) {
            then();
        } else if (!loading) {
            loading = true;
            const script = document.createElement('script');
            script.src = root + 'search-index.js';
            script.onload = then;
            document.head.append(script);
        }
    }

    // The words of a text, without endings: "choose" finds "choosing", too.
    function wordsOf(text) {
        return text.toLowerCase().split(/\s+/).filter(word => word)
            .map(word => word.replace(/(?<=\w{4})(ing|ed|es|e|s)$/, ''));
    }

    // How well a section fits: 0 if a word is missing; words in headings count more than in the text, and pages for
    // users more than those for developers.
    function score(section, words) {
        const page = section.page.toLowerCase();
        const heading = section.heading.toLowerCase();
        const text = section.text.toLowerCase();
        let sum = 0;
        for (const word of words) {
            const points = (heading.includes(word) ? 20 : 0) + (page.includes(word) ? (heading ? 8 : 30) : 0)
                + Math.min(text.split(word).length - 1, 5);
            if (!points) {
                return 0;
            }
            sum += points;
        }
        return /^(CHANGELOG|CONTRIBUTING|docs\/(correctness|algorithm))/.test(section.link) ? sum / 2 : sum;
    }

    // The part of the text around the first word, with all words marked. Text is never read as HTML.
    function excerpt(text, words) {
        const lower = text.toLowerCase();
        const found = words.map(word => lower.indexOf(word)).filter(at => at >= 0);
        const start = found.length ? Math.max(0, Math.min(...found) - 60) : 0;
        const part = (start ? '…' : '') + text.slice(start, start + 180) + (start + 180 < text.length ? '…' : '');
        const element = document.createElement('span');
        const pattern = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
        part.split(new RegExp(`(${pattern})`, 'gi')).forEach((piece, number) => {
            const mark = number % 2 ? document.createElement('mark') : document.createTextNode(piece);
            if (number % 2) {
                mark.textContent = piece;
            }
            element.append(mark);
        });
        return element;
    }

    function result(section, words, number) {
        const link = document.createElement('a');
        link.href = root + section.link;
        link.id = 'result-' + number;
        link.tabIndex = -1;
        link.setAttribute('role', 'option');
        const title = document.createElement('strong');
        title.textContent = section.heading ? section.page + ' › ' + section.heading : section.page;
        link.append(title, excerpt(section.text, words));
        return link;
    }

    function show(open) {
        results.hidden = !open;
        query.setAttribute('aria-expanded', open);
        choose(-1);
    }

    function choose(number) {
        const links = results.querySelectorAll('a');
        chosen = links.length ? Math.max(-1, Math.min(number, links.length - 1)) : -1;
        links.forEach((link, at) => link.setAttribute('aria-selected', at === chosen));
        if (chosen >= 0) {
            query.setAttribute('aria-activedescendant', links[chosen].id);
            links[chosen].scrollIntoView({block: 'nearest'});
        } else {
            query.removeAttribute('aria-activedescendant');
        }
    }

    function search() {
        const words = wordsOf(query.value);
        if (!words.length) {
            show(false);
            return;
        }
        const found = window.searchIndex.map(section => [score(section, words), section])
            .filter(([points]) => points).sort((one, other) => other[0] - one[0]).slice(0, most);
        results.replaceChildren(...found.map(([, section], number) => result(section, words, number)));
        if (!found.length) {
            const none = document.createElement('p');
            none.textContent = 'Nothing is found that has all of these words.';
            results.append(none);
        }
        show(true);
    }

    query.addEventListener('focus', () => withIndex(() => query.value && search()));
    query.addEventListener('input', () => withIndex(search));
    query.addEventListener('keydown', event => {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
        } else if (event.key === 'Enter' && !results.hidden) {
            results.querySelectorAll('a')[Math.max(chosen, 0)]?.click();
        }
    });
    results.addEventListener('click', () => show(false));
    document.addEventListener('click', event => event.target.closest('.search') || show(false));
    function toggle(open) {
        pages.classList.toggle('open', open);
        menu.setAttribute('aria-expanded', open);
    }
    menu.addEventListener('click', () => toggle(!pages.classList.contains('open')));
    pages.addEventListener('click', event => event.target.closest('a') && toggle(false));
    document.addEventListener('keydown', event => {
        if (event.key === 'Escape') {
            show(false);
            toggle(false);
        } else if (event.key === '/' && !event.target.closest('input')) {
            event.preventDefault();
            query.focus();
        }
    });

    // What is wider than the page is scrolled by the arrow keys.
    for (const wide of document.querySelectorAll('pre, .scroll')) {
        if (wide.scrollWidth > wide.clientWidth) {
            wide.tabIndex = 0;
        }
    }
    pages.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
})();
