// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iostreams, as far as programs around kernels name them. They are for host code that is read and never run on the device:
// declarations are enough. libc++'s own would cost each such file half a second.
#ifndef LATHE_STD_LATHE_STREAMS_H
#define LATHE_STD_LATHE_STREAMS_H
#include <cctype>
#include <errno.h>  // these two as GCC's streams bring them along
#include <iosfwd>
#include <iterator>
#include <string>
#include <string_view>
// As libc++'s own, of which some are declared in <string>.
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
_LIBCPP_BEGIN_NAMESPACE_STD
using streamsize = long;
using streamoff = long long;
class ios_base {
 public:
  using fmtflags = unsigned;
  using iostate = unsigned;
  using openmode = unsigned;
  using seekdir = unsigned;
  static constexpr fmtflags boolalpha = 1, dec = 2, fixed = 4, hex = 8, internal = 16, left = 32, oct = 64, right = 128;
  static constexpr fmtflags scientific = 256, showbase = 512, showpoint = 1024, showpos = 2048, skipws = 4096;
  static constexpr fmtflags unitbuf = 8192, uppercase = 16384, adjustfield = 176, basefield = 74, floatfield = 260;
  static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
  static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32;
  static constexpr seekdir beg = 0, cur = 1, end = 2;
  class failure;
  class Init {};
  fmtflags flags() const;
  fmtflags flags(fmtflags);
  fmtflags setf(fmtflags);
  fmtflags setf(fmtflags, fmtflags);
  void unsetf(fmtflags);
  streamsize precision() const;
  streamsize precision(streamsize);
  streamsize width() const;
  streamsize width(streamsize);
  static bool sync_with_stdio(bool = true);
};
template <class S>
class fpos {
 public:
  fpos(long long = 0);
  operator long long() const;
};
// Programs override these members, for the host.
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
template <class C, class T>
class basic_streambuf {
 public:
  using char_type = C;
  using traits_type = T;
  using int_type = typename T::int_type;
  using pos_type = fpos<mbstate_t>;
  using off_type = streamoff;
  virtual ~basic_streambuf();
  basic_streambuf* pubsetbuf(C*, streamsize);
  pos_type pubseekoff(off_type, ios_base::seekdir, ios_base::openmode = ios_base::in | ios_base::out);
  pos_type pubseekpos(pos_type, ios_base::openmode = ios_base::in | ios_base::out);
  int pubsync();
  streamsize in_avail();
  int_type snextc();
  int_type sbumpc();
  int_type sgetc();
  streamsize sgetn(C*, streamsize);
  int_type sputbackc(C);
  int_type sungetc();
  int_type sputc(C);
  streamsize sputn(const C*, streamsize);

 protected:
  basic_streambuf();
  basic_streambuf(const basic_streambuf&);
  basic_streambuf& operator=(const basic_streambuf&);
  void swap(basic_streambuf&);
  C* eback() const;
  C* gptr() const;
  C* egptr() const;
  void gbump(int);
  void setg(C*, C*, C*);
  C* pbase() const;
  C* pptr() const;
  C* epptr() const;
  void pbump(int);
  void setp(C*, C*);
  virtual basic_streambuf* setbuf(C*, streamsize);
  virtual pos_type seekoff(off_type, ios_base::seekdir, ios_base::openmode = ios_base::in | ios_base::out);
  virtual pos_type seekpos(pos_type, ios_base::openmode = ios_base::in | ios_base::out);
  virtual int sync();
  virtual streamsize showmanyc();
  virtual streamsize xsgetn(C*, streamsize);
  virtual int_type underflow();
  virtual int_type uflow();
  virtual int_type pbackfail(int_type = T::eof());
  virtual streamsize xsputn(const C*, streamsize);
  virtual int_type overflow(int_type = T::eof());
};
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
template <class C, class T>
class basic_ios : public ios_base {
 public:
  explicit operator bool() const;
  bool operator!() const;
  bool good() const;
  bool eof() const;
  bool fail() const;
  bool bad() const;
  iostate rdstate() const;
  void clear(iostate = goodbit);
  void setstate(iostate);
  iostate exceptions() const;
  void exceptions(iostate);
  C fill() const;
  C fill(C);
  basic_streambuf<C, T>* rdbuf() const;
  basic_streambuf<C, T>* rdbuf(basic_streambuf<C, T>*);
  basic_ios& copyfmt(const basic_ios&);
  template <class L>
  void imbue(const L&);
  basic_ostream<C, T>* tie(basic_ostream<C, T>*);
};
template <class C, class T>
class basic_ostream : virtual public basic_ios<C, T> {
 public:
  using char_type = C;
  explicit basic_ostream(basic_streambuf<C, T>*);
  basic_ostream& operator<<(bool);
  basic_ostream& operator<<(short);
  basic_ostream& operator<<(unsigned short);
  basic_ostream& operator<<(int);
  basic_ostream& operator<<(unsigned);
  basic_ostream& operator<<(long);
  basic_ostream& operator<<(unsigned long);
  basic_ostream& operator<<(long long);
  basic_ostream& operator<<(unsigned long long);
  basic_ostream& operator<<(float);
  basic_ostream& operator<<(double);
  basic_ostream& operator<<(long double);
  basic_ostream& operator<<(const void*);
  basic_ostream& operator<<(nullptr_t);
  basic_ostream& operator<<(basic_streambuf<C, T>*);
  basic_ostream& operator<<(basic_ostream& (*)(basic_ostream&));
  basic_ostream& operator<<(ios_base& (*)(ios_base&));
  basic_ostream& put(C);
  basic_ostream& write(const C*, streamsize);
  basic_ostream& flush();
  basic_ostream& seekp(streampos);
  basic_ostream& seekp(long long, ios_base::seekdir);
  streampos tellp();
};
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>&, char);
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>&, signed char);
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>&, unsigned char);
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>&, const char*);
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>&, const unsigned char*);
template <class C, class T, class A>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>&, const basic_string<C, T, A>&);
template <class C, class T>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>&, basic_string_view<C, T>);
template <class S, class V>
  requires(__is_base_of(ios_base, S))
S&& operator<<(S&& stream, const V&) {
  return static_cast<S&&>(stream);
}
template <class C, class T>
class basic_istream : virtual public basic_ios<C, T> {
 public:
  using char_type = C;
  explicit basic_istream(basic_streambuf<C, T>*);
  // Of strings the library has its own.
  template <class V>
    requires(!requires { typename remove_reference_t<V>::traits_type; })
  basic_istream& operator>>(V&&) {
    return *this;
  }
  basic_istream& operator>>(basic_istream& (*)(basic_istream&));
  basic_istream& operator>>(ios_base& (*)(ios_base&));
  int get();
  basic_istream& get(C&);
  basic_istream& get(C*, streamsize);
  basic_istream& get(C*, streamsize, C);
  int peek();
  basic_istream& unget();
  basic_istream& putback(C);
  basic_istream& read(C*, streamsize);
  basic_istream& getline(C*, streamsize);
  basic_istream& getline(C*, streamsize, C);
  basic_istream& ignore(streamsize = 1, int = -1);
  streamsize gcount() const;
  basic_istream& seekg(streampos);
  basic_istream& seekg(long long, ios_base::seekdir);
  streampos tellg();
};
template <class C, class T>
class basic_iostream : public basic_istream<C, T>, public basic_ostream<C, T> {
 public:
  explicit basic_iostream(basic_streambuf<C, T>*);
};
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&, basic_string<C, T, A>&);
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&, basic_string<C, T, A>&, C);
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&&, basic_string<C, T, A>&);
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&&, basic_string<C, T, A>&, C);
template <class C, class T>
basic_ostream<C, T>& endl(basic_ostream<C, T>&);
template <class C, class T>
basic_ostream<C, T>& ends(basic_ostream<C, T>&);
template <class C, class T>
basic_ostream<C, T>& flush(basic_ostream<C, T>&);
template <class C, class T>
basic_istream<C, T>& ws(basic_istream<C, T>&);
#define LATHE_MANIPULATOR(name) ios_base& name(ios_base&);
LATHE_MANIPULATOR(boolalpha) LATHE_MANIPULATOR(noboolalpha) LATHE_MANIPULATOR(showbase) LATHE_MANIPULATOR(noshowbase)
LATHE_MANIPULATOR(showpoint) LATHE_MANIPULATOR(noshowpoint) LATHE_MANIPULATOR(showpos) LATHE_MANIPULATOR(noshowpos)
LATHE_MANIPULATOR(skipws) LATHE_MANIPULATOR(noskipws) LATHE_MANIPULATOR(uppercase) LATHE_MANIPULATOR(nouppercase)
LATHE_MANIPULATOR(internal) LATHE_MANIPULATOR(left) LATHE_MANIPULATOR(right) LATHE_MANIPULATOR(dec) LATHE_MANIPULATOR(hex)
LATHE_MANIPULATOR(oct) LATHE_MANIPULATOR(fixed) LATHE_MANIPULATOR(scientific) LATHE_MANIPULATOR(hexfloat)
LATHE_MANIPULATOR(defaultfloat) LATHE_MANIPULATOR(unitbuf) LATHE_MANIPULATOR(nounitbuf)
#undef LATHE_MANIPULATOR
struct LatheStreamSetting {};
template <class C, class T>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>&, LatheStreamSetting);
LatheStreamSetting setw(int);
LatheStreamSetting setprecision(int);
LatheStreamSetting setbase(int);
LatheStreamSetting setiosflags(ios_base::fmtflags);
LatheStreamSetting resetiosflags(ios_base::fmtflags);
LatheStreamSetting setfill(char);
template <class V>
LatheStreamSetting quoted(const V&);
template <class V>
LatheStreamSetting put_time(const V*, const char*);
template <class C, class T>
class basic_filebuf : public basic_streambuf<C, T> {
 public:
  bool is_open() const;
  basic_filebuf* open(const string&, ios_base::openmode);
  basic_filebuf* close();
};
template <class C, class T, class A>
class basic_stringbuf : public basic_streambuf<C, T> {};
// A macro for what differs between the file streams, which is their names and bases.
#define LATHE_STREAM(name, base, file)                                    \
  template <class C, class T>                                             \
  class name : public base<C, T> {                                        \
   public:                                                                \
    name();                                                               \
    template <class P>                                                    \
    explicit name(const P&, ios_base::openmode = 0);                      \
    name(name&&);                                                         \
    name& operator=(name&&);                                              \
    template <class P>                                                    \
    void open(const P&, ios_base::openmode = 0);                          \
    bool is_open() const;                                                 \
    void close();                                                         \
  };
LATHE_STREAM(basic_ofstream, basic_ostream, 0)
LATHE_STREAM(basic_ifstream, basic_istream, 0)
LATHE_STREAM(basic_fstream, basic_iostream, 0)
#undef LATHE_STREAM
#define LATHE_STREAM(name, base)                                          \
  template <class C, class T, class A>                                    \
  class name : public base<C, T> {                                        \
   public:                                                                \
    name();                                                               \
    explicit name(ios_base::openmode);                                    \
    explicit name(const basic_string<C, T, A>&, ios_base::openmode = 0);  \
    name(name&&);                                                         \
    name& operator=(name&&);                                              \
    basic_string<C, T, A> str() const;                                    \
    void str(const basic_string<C, T, A>&);                               \
  };
LATHE_STREAM(basic_ostringstream, basic_ostream)
LATHE_STREAM(basic_istringstream, basic_istream)
LATHE_STREAM(basic_stringstream, basic_iostream)
#undef LATHE_STREAM
extern istream cin;
extern ostream cout, cerr, clog;
_LIBCPP_END_NAMESPACE_STD
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
#endif
