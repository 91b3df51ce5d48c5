(() => {
  const openAround = (one) => {
    for (let at = one; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const own = target.querySelector(":scope > details");
    if (own) own.open = true;
    openAround(target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  addEventListener("load", openTarget);

  const box = document.getElementById("search");
  if (!box) return;
  box.closest("form").hidden = false;
  const told = document.getElementById("found");
  const entries = [...document.querySelectorAll("article.entry")];
  const texts = entries.map((one) => one.textContent.toLowerCase());
  const titles = entries.map((one) => one.querySelector("h3").textContent.toLowerCase());
  const links = new Map([...document.querySelectorAll("nav a")].map((one) => [one.hash.slice(1), one]));
  const guide = document.querySelectorAll(".guide, .house-rules, .sources");
  const find = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    let first = null;
    entries.forEach((one, place) => {
      const there = words.every((word) => texts[place].includes(word));
      one.hidden = !there;
      count += there;
      if (there && words.length && (!first || words.every((word) => titles[place].includes(word)) > first.named)) {
        first = { one, named: words.every((word) => titles[place].includes(word)) };
      }
      const link = links.get(one.id);
      if (link) link.parentElement.hidden = !there;
    });
    document.querySelectorAll("section.chapter").forEach((one) => {
      const inside = [...one.querySelectorAll("article.entry")];
      one.hidden = words.length > 0 && inside.every((entry) => entry.hidden);
      const link = links.get(one.id);
      if (link) link.closest("li").hidden = one.hidden;
      const fold = one.closest("details");
      if (fold && words.length && !one.hidden && !fold.open) {
        fold.open = true;
        fold.dataset.found = "";
      }
      if (fold && !words.length && "found" in fold.dataset) {
        fold.open = false;
        delete fold.dataset.found;
      }
    });
    guide.forEach((one) => { one.hidden = words.length > 0; });
    told.textContent = words.length ? (count === 1 ? "1 entry" : `${count} entries`) : "";
    return first && first.one;
  };
  box.addEventListener("input", find);
  box.closest("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = find();
    if (!first) return;
    first.querySelector("details").open = true;
    openAround(first);
    first.scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === "Escape" && document.activeElement === box) {
      box.value = "";
      find();
    }
  });
})();
